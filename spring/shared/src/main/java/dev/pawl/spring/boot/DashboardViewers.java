package dev.pawl.spring.boot;

import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Principal;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the dashboard's user from the application's own login: Spring Security, or the servlet container.
 *
 * @param properties the roles
 */
record DashboardViewers(DashboardProperties properties) implements Function<HttpServletRequest, @Nullable Viewer> {
    @Override
    public @Nullable Viewer apply(HttpServletRequest request) {
        Principal user = request.getUserPrincipal();
        if (user == null) {
            return isFromHere(request) ? onThisMachine() : null;
        }
        if (request.isUserInRole(properties.operatorRole())) {
            return new Viewer(user.getName(), Role.OPERATOR);
        }
        return request.isUserInRole(properties.viewerRole()) ? new Viewer(user.getName(), Role.READ_ONLY) : null;
    }

    private @Nullable Viewer onThisMachine() {
        return switch (properties.onThisMachine()) {
            case NOTHING -> null;
            case LOOK -> new Viewer("local user", Role.READ_ONLY);
            case OPERATE -> new Viewer("local user", Role.OPERATOR);
        };
    }

    /**
     * Requires the host name localhost or a loopback address, because another site could let its own name point to this machine. Refuses
     * requests through a proxy, because they may come from elsewhere.
     */
    private static boolean isFromHere(HttpServletRequest request) {
        String name = request.getServerName().toLowerCase(Locale.ROOT);
        return (name.equals("localhost") || name.equals("127.0.0.1") || name.equals("[::1]") || name.equals("::1"))
                && request.getHeader("Forwarded") == null
                && request.getHeader("X-Forwarded-For") == null
                && isLoopback(request.getRemoteAddr());
    }

    /** The text is an IP address, so no name is resolved. */
    private static boolean isLoopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
