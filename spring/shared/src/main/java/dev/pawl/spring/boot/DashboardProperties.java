package dev.pawl.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code pawl.dashboard.*}. They need {@code pawl-dashboard} on the class path and a servlet container.
 *
 * @param enabled Whether this application serves the dashboard.
 * @param path Its path, such as /pawl.
 * @param viewerRole Role of users with read access; with Spring Security the authority ROLE_ and this name.
 * @param operatorRole Role of users who may also change things.
 * @param onThisMachine Access without a login for browsers on this machine that use the address localhost, 127.0.0.1 or [::1] and no proxy.
 *     For development. The start fails if forwarded headers are trusted (server.forward-headers-strategy).
 * @param readOnly Whether all changes are forbidden, regardless of roles.
 * @param hosts Host names by which browsers reach the dashboard, needed behind a proxy that changes the header Host. Requests with other
 *     names are refused. Default: any.
 * @param secret Secret shared by several processes that serve the dashboard at one address, at least 16 characters. Default: random in
 *     each.
 */
public record DashboardProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/pawl") String path,
        @DefaultValue("pawl-viewer") String viewerRole,
        @DefaultValue("pawl-operator") String operatorRole,
        @DefaultValue("nothing") OnThisMachine onThisMachine,
        @DefaultValue("false") boolean readOnly,
        @DefaultValue List<String> hosts,
        @Nullable String secret) {

    /** Access without a login from this machine. */
    public enum OnThisMachine {
        /** None. */
        NOTHING,
        /** Read access. */
        LOOK,
        /** Read access and changes. */
        OPERATE
    }
}
