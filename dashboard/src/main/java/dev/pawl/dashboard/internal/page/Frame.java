package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Databases;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The frame that all pages share.
 *
 * @param request to answer
 * @param viewer the user; null if unauthenticated
 * @param csrf the token that every form for changes contains
 * @param flash the message of the last change, after a + or, if it failed, a -; null for none
 * @param canLeave whether there is a session to end
 * @param status the state of the whole queue; null if it is unknown
 * @param databases of the dashboard
 */
public record Frame(
        Request request,
        @Nullable Viewer viewer,
        String csrf,
        @Nullable String flash,
        boolean canLeave,
        @Nullable Status status,
        Databases databases) {
    /** Paths of the pages that every database has, because they contain no id or name. */
    private static final Pattern COMMON = Pattern.compile("/[a-z]+");

    private static final int LONGEST_BACK = 2_000;

    static Frame of(Call call, boolean canLeave, @Nullable Status status, Databases databases) {
        return new Frame(call.request(), call.viewer(), call.csrf(), call.flash(), canLeave, status, databases);
    }

    /** {@return whether the viewer may make changes, for which pages have buttons} */
    public boolean isOperator() {
        return viewer != null && viewer.isOperator();
    }

    /** {@return whether the last change failed} */
    public boolean hasFailed() {
        return flash != null && flash.startsWith("-");
    }

    /** {@return the message of the last change; empty for none} */
    public String message() {
        return flash == null || flash.isEmpty() ? "" : flash.substring(1);
    }

    /** {@return whether to show the state of the queue; an update of the page without a state keeps the state already shown} */
    public boolean isShown() {
        return status != null || request.header("hx-request") == null;
    }

    /** {@return what is wrong with the queue now} */
    public List<Incident> incidents() {
        return status == null ? List.of() : status.incidents();
    }

    /** {@return the number beside a page in the navigation; null for none} */
    public Status.@Nullable Count count(String page) {
        return status == null ? null : status.counts().get(page);
    }

    /** {@return the path and parameters of this page} */
    public String here() {
        return request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
    }

    /**
     * {@return the address to which a form returns, without the parameters of a long address, because a page may have hundreds of forms}
     */
    public String back() {
        return here().length() > LONGEST_BACK ? request.path() : here();
    }

    /** {@return the address to which a form returns, with the anchor of the changed row} */
    public String back(String row) {
        return row.isEmpty() ? back() : back() + "#" + encoded(row).replace("+", "%20");
    }

    /** {@return the URL of the page for logins, which all databases share} */
    public String loginUrl() {
        return databases.root(request) + "/login";
    }

    /** {@return the URL of this page in another database, or of that database's overview if this page is about a single item} */
    public String urlIn(int database) {
        boolean isCommon = status != null && COMMON.matcher(request.path()).matches();
        return databases.url(request, database, isCommon ? request.path() : "/");
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
