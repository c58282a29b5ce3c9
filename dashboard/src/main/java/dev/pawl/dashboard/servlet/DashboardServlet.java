package dev.pawl.dashboard.servlet;

import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard in a servlet container such as Tomcat, Jetty or that of Spring Boot, below any prefix: map it to
 * {@code /pawl/*}. Who may come in is up to the container: nobody, until it says who it is. Only {@code /live} and {@code
 * /ready} need nobody. Thread-safe.
 */
public final class DashboardServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final String FORM = "application/x-www-form-urlencoded";

    private final transient Dashboard dashboard;
    private final transient Function<HttpServletRequest, @Nullable Viewer> viewers;

    /**
     * For containers that know roles: users with the role {@code pawl-operator} may change things, those with
     * {@code pawl-viewer} may look, others may not.
     *
     * @param dashboard to serve; its tokens are not used
     */
    public DashboardServlet(Dashboard dashboard) {
        this(dashboard, DashboardServlet::byRole);
    }

    /**
     * @param dashboard to serve; its tokens are not used
     * @param viewers finds out who sends a request and what they may do; null for who may not even look
     */
    public DashboardServlet(Dashboard dashboard, Function<HttpServletRequest, @Nullable Viewer> viewers) {
        this.dashboard = Objects.requireNonNull(dashboard);
        this.viewers = Objects.requireNonNull(viewers);
    }

    /** Closes the dashboard: its samples are taken elsewhere then. */
    @Override
    public void destroy() {
        dashboard.close();
    }

    private static @Nullable Viewer byRole(HttpServletRequest request) {
        Principal user = request.getUserPrincipal();
        if (user == null) {
            return null;
        }
        if (request.isUserInRole("pawl-operator")) {
            return new Viewer(user.getName(), Role.OPERATOR);
        }
        return request.isUserInRole("pawl-viewer") ? new Viewer(user.getName(), Role.READ_ONLY) : null;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String prefix = request.getContextPath() + request.getServletPath();
        String uri = request.getRequestURI();
        String path = uri.startsWith(prefix) ? uri.substring(prefix.length()) : "/";
        if (path.isEmpty()) {
            response.sendRedirect(prefix + "/");
            return;
        }
        Viewer viewer = viewers.apply(request);
        if (viewer == null && !path.equals("/live") && !path.equals("/ready")) {
            send(request, response, Response.text(403, "text/plain", "you may not see the dashboard\n"));
            return;
        }
        byte[] body = body(request);
        send(
                request,
                response,
                body.length > Request.MOST_BYTES
                        ? Response.text(413, "text/plain", "larger than " + Request.MOST_BYTES + " bytes\n")
                        : dashboard.handle(new Request(
                                request.getMethod(),
                                prefix,
                                path,
                                Objects.requireNonNullElse(request.getQueryString(), ""),
                                headers(request),
                                body,
                                request.isSecure(),
                                viewer)));
    }

    /** A filter of the application may have read a form before us: then only its parameters are left. Of anything else nothing is. */
    private static byte[] body(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(Request.MOST_BYTES + 1);
        String type = request.getContentType();
        if (body.length > 0 || type == null || !type.toLowerCase(Locale.ROOT).startsWith(FORM)) {
            return body;
        }
        StringJoiner form = new StringJoiner("&");
        request.getParameterMap()
                .forEach((name, values) -> form.add(URLEncoder.encode(name, StandardCharsets.UTF_8) + "="
                        + URLEncoder.encode(values[0], StandardCharsets.UTF_8)));
        return form.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, String> headers(HttpServletRequest request) {
        Map<String, String> headers = new HashMap<>();
        List<String> names = Collections.list(request.getHeaderNames());
        for (String name : names) {
            headers.put(name.toLowerCase(Locale.ROOT), request.getHeader(name));
        }
        return headers;
    }

    private static void send(HttpServletRequest request, HttpServletResponse response, Response answer)
            throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(header -> response.addHeader(header.getKey(), header.getValue()));
        if (!request.getMethod().equals("HEAD")) {
            response.setContentLength(answer.body().length);
            response.getOutputStream().write(answer.body());
        }
    }
}
