package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.internal.web.Call;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all pages have around their content.
 *
 * @param request that is answered
 * @param viewer who looks; null if that is not known
 * @param csrf what every form for changes holds
 * @param said what the last change has said, after a + or, if it was not done, a -; null for nothing
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

    /** {@return whether the last change was not done} */
    public boolean hasFailed() {
        return said != null && said.startsWith("-");
    }

    /** {@return what the last change has said; empty for nothing} */
    public String message() {
        return said == null || said.isEmpty() ? "" : said.substring(1);
    }

    /** {@return the path of this page and its parameters} */
    public String here() {
        return request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
    }

    /** {@return the same for forms that lead back to it, of which a page may have hundreds; without parameters that are too long} */
    public String back() {
        return here().length() > LONGEST_BACK ? request.path() : here();
    }

    /** {@return the same, and the row of it that is changed: there the browser goes on} */
    public String back(String row) {
        return row.isEmpty() ? back() : back() + "#" + encoded(row).replace("+", "%20");
    }

    /** {@return the address of a page or file of the dashboard} */
    public String url(String path) {
        return request.prefix() + path;
    }

    /** {@return the same with one parameter} */
    public String url(String path, String name, String value) {
        return url(path, Map.of(name, value));
    }

    /** {@return the same with these parameters} */
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
