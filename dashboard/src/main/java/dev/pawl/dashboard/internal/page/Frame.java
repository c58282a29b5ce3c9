package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.internal.web.Call;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The frame that all pages share.
 *
 * @param request to answer
 * @param viewer the user; null if unauthenticated
 * @param csrf the token that every form for changes contains
 * @param said the message of the last change, after a + or, if it failed, a -; null for none
 * @param canLeave whether there is a session to end
 */
public record Frame(
        Request request,
        @Nullable Viewer viewer,
        String csrf,
        @Nullable String said,
        boolean canLeave) {
    private static final int LONGEST_BACK = 2_000;

    static Frame of(Call call, boolean canLeave) {
        return new Frame(call.request(), call.viewer(), call.csrf(), call.said(), canLeave);
    }

    /** {@return whether there are buttons} */
    public boolean isOperator() {
        return viewer != null && viewer.isOperator();
    }

    /** {@return whether the last change failed} */
    public boolean hasFailed() {
        return said != null && said.startsWith("-");
    }

    /** {@return the message of the last change; empty for none} */
    public String message() {
        return said == null || said.isEmpty() ? "" : said.substring(1);
    }

    /** {@return the path and parameters of this page} */
    public String here() {
        return request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
    }

    /** {@return the address to return to from a form; omits parameters that are too long, because a page may have hundreds of forms} */
    public String back() {
        return here().length() > LONGEST_BACK ? request.path() : here();
    }

    /** {@return the same with the anchor of the changed row} */
    public String back(String row) {
        return row.isEmpty() ? back() : back() + "#" + encoded(row).replace("+", "%20");
    }

    /** {@return the URL of a page or file of the dashboard} */
    public String url(String path) {
        return request.prefix() + path;
    }

    /** {@return the URL with one parameter} */
    public String url(String path, String name, String value) {
        return url(path, Map.of(name, value));
    }

    /** {@return the URL with these parameters} */
    public String url(String path, Map<String, String> parameters) {
        StringBuilder url = new StringBuilder(url(path));
        char before = '?';
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            url.append(before).append(encoded(parameter.getKey())).append('=').append(encoded(parameter.getValue()));
            before = '&';
        }
        return url.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
