package dev.pawl.dashboard.servlet;

import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.internal.web.Headers;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard in a servlet container such as Tomcat, Jetty or that of Spring Boot, below any prefix: map it, for example, to {@code
 * /pawl/*}. The container authenticates users; unauthenticated requests are refused, except {@code /live} and {@code /ready}, also those
 * below {@code /databases/NAME}. Thread-safe.
 */
public final class DashboardServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(DashboardServlet.class);
    /** Includes the probes of databases other than the first. */
    private static final Pattern PROBE = Pattern.compile("(/databases/[^/]+)?/(live|ready)");

    private static final String FORM = "application/x-www-form-urlencoded";

    private final transient Dashboard dashboard;
    private final transient Function<HttpServletRequest, @Nullable Viewer> viewers;

    /**
     * Creates a servlet for containers with roles: users with the role {@code pawl-operator} may change things, users with
     * {@code pawl-viewer} may read, all other users are refused.
     *
     * @param dashboard to serve; its tokens are not used
     */
    public DashboardServlet(Dashboard dashboard) {
        this(dashboard, DashboardServlet::byRole);
    }

    /**
     * @param dashboard to serve; its tokens are not used
     * @param viewers returns the viewer of a request; null for no access. If it throws, the request is answered 503,
     *     and the log has the reason
     */
    public DashboardServlet(Dashboard dashboard, Function<HttpServletRequest, @Nullable Viewer> viewers) {
        this.dashboard = Objects.requireNonNull(dashboard);
        this.viewers = Objects.requireNonNull(viewers);
    }

    /** Closes the dashboard, so that another process takes over sampling the queues. */
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
        send(request, response, answer(request, prefix, path));
    }

    private Response answer(HttpServletRequest request, String prefix, String path) throws IOException {
        boolean isProbe = PROBE.matcher(path).matches();
        Viewer viewer = null;
        // Probes need no authentication, and must not fail with the application's user database.
        if (!isProbe) {
            try {
                viewer = viewers.apply(request);
            } catch (Exception e) { // including undeclared checked exceptions
                LOG.error("cannot authenticate a request", e);
                return plain(503, "authentication failed; the application's log has details\n");
            }
            if (viewer == null) {
                return plain(403, "you may not see the dashboard\n");
            }
        }
        return dashboard.handle(new Request(
                request.getMethod(),
                prefix,
                path,
                Objects.requireNonNullElse(request.getQueryString(), ""),
                headers(request),
                isProbe ? new byte[0] : body(request),
                request.isSecure(),
                viewer));
    }

    private static Response plain(int status, String text) {
        return Headers.safe(Response.text(status, "text/plain", text));
    }

    /**
     * If a filter of the application has already read a form, only the form's parameters remain. Any other body that a filter has read is
     * lost.
     */
    private static byte[] body(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(Request.MAX_BYTES + 1);
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
            String lower = name.toLowerCase(Locale.ROOT);
            headers.put(
                    lower,
                    lower.equals("cookie")
                            ? String.join("; ", Collections.list(request.getHeaders(name)))
                            : request.getHeader(name));
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
