package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets cookies that are hidden from scripts. Of the requests of other sites, browsers send them only with those that follow a
 * link ({@code SameSite=Lax}): with {@code Strict}, a link to a page would lead to the login.
 */
public final class Cookies {
    private Cookies() {}

    /** {@return the value; null if there is no such cookie} */
    public static @Nullable String read(Request request, String name) {
        String all = request.header("cookie");
        if (all == null) {
            return null;
        }
        for (String cookie : all.split(";", 50)) {
            int equals = cookie.indexOf('=');
            if (equals > 0 && cookie.substring(0, equals).strip().equals(name)) {
                try {
                    return URLDecoder.decode(cookie.substring(equals + 1).strip(), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    return null;
                }
            }
        }
        return null;
    }

    /**
     * @param prefix of the paths that get it
     * @param seconds how long the browser keeps it; 0 removes it, a negative value keeps it until the browser is closed
     * @return the response that sets it
     */
    public static Response set(
            Response response, Request request, String prefix, String name, String value, long seconds) {
        return response.with(
                "Set-Cookie",
                name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)
                        + "; Path=" + prefix + "/; HttpOnly; SameSite=Lax"
                        + (request.secure() ? "; Secure" : "")
                        + (seconds < 0 ? "" : "; Max-Age=" + seconds));
    }
}
