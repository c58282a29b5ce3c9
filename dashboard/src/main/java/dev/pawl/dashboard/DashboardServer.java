package dev.pawl.dashboard;

import dev.pawl.dashboard.internal.web.Headers;
import dev.pawl.internal.http.HttpHead;
import dev.pawl.internal.http.HttpListener;
import dev.pawl.internal.http.HttpReply;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dashboard with its own HTTP server, for programs without one. Plain HTTP: use a proxy with HTTPS to expose it to a network. Of an
 * unauthenticated caller, only the body of a login is read, and its connection may be closed to make room for others. Thread-safe.
 */
public final class DashboardServer implements AutoCloseable {
    private static final String PREFIX = "(/[A-Za-z0-9._~-]+){0,20}";

    private final HttpListener listener;

    private DashboardServer(HttpListener listener) {
        this.listener = listener;
    }

    /**
     * Starts a server.
     *
     * @param dashboard to serve
     * @param address to listen on; port 0 for any free one
     * @param prefix of all paths, such as {@code /pawl}; empty for none
     * @return the running server
     * @throws IllegalArgumentException if the prefix is malformed, the host of the address is unknown, or the dashboard has no token and is
     *     reachable from other machines
     * @throws IOException if the address cannot be listened on
     */
    public static DashboardServer start(Dashboard dashboard, InetSocketAddress address, String prefix)
            throws IOException {
        if (!prefix.matches(PREFIX)) {
            throw new IllegalArgumentException("the prefix '" + prefix + "' is not valid: write it like /pawl");
        }
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("there is no address for the name " + address.getHostString());
        }
        if (dashboard.isOpen() && (dashboard.hasHosts() || !address.getAddress().isLoopbackAddress())) {
            throw new IllegalArgumentException(
                    "without a token the dashboard is for this machine only: set one, or listen on"
                            + " localhost instead of " + address.getHostString() + " and name no hosts");
        }
        return new DashboardServer(new HttpListener("pawl-dashboard", address, null, new Service(dashboard, prefix)));
    }

    /** {@return the port that it listens on} */
    public int port() {
        return listener.address().getPort();
    }

    private record Service(Dashboard dashboard, String prefix) implements HttpListener.Service {
        private boolean isOurs(HttpHead head) {
            return head.path().startsWith(prefix + "/");
        }

        private Request request(HttpHead head, byte[] body) {
            return new Request(
                    head.method(),
                    prefix,
                    isOurs(head) ? head.path().substring(prefix.length()) : "/",
                    head.query(),
                    head.headers(),
                    body,
                    dashboard.proxies().sayHttps(head.remote(), head.header("x-forwarded-proto")),
                    null);
        }

        @Override
        public HttpListener.Admission admit(HttpHead head) {
            Request request = request(head, new byte[0]);
            return new HttpListener.Admission(
                    dashboard.isAuthenticated(request), isOurs(head) ? dashboard.mostBytes(request) : 0);
        }

        @Override
        public HttpReply answer(HttpHead head, byte[] body) {
            if (head.path().equals(prefix) && !prefix.isEmpty()) {
                return plain(new Response(303, List.of(Map.entry("Location", prefix + "/")), new byte[0]));
            }
            return isOurs(head)
                    ? reply(dashboard.handle(request(head, body)))
                    : plain(Response.text(404, "text/plain", "the dashboard is at " + prefix + "/\n"));
        }

        @Override
        public HttpReply refuse(@Nullable HttpHead head, int status, String message) {
            return head == null || !isOurs(head)
                    ? plain(Response.text(status, "text/plain", message + "\n"))
                    : reply(dashboard.refuse(request(head, new byte[0]), status, message));
        }

        private static HttpReply reply(Response response) {
            return new HttpReply(response.status(), response.headers(), response.body());
        }

        private static HttpReply plain(Response response) {
            return reply(Headers.safe(response));
        }
    }

    /** Stops listening and aborts requests in flight. Neither the dashboard nor the queue is closed. */
    @Override
    public void close() {
        listener.close();
    }
}
