package dev.pawl.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code pawl.dashboard.*}. They need {@code pawl-dashboard} on the class path and a servlet container.
 *
 * @param enabled Whether this application serves the dashboard.
 * @param path Where: a path of its own, such as /pawl.
 * @param viewerRole Role of users who may look; with Spring Security the authority ROLE_ and this name.
 * @param operatorRole Role of users who may look and change things.
 * @param onThisMachine What somebody may do who is not logged in and asks from this machine, by the name localhost and through no
 *     proxy. For development; refused where forwarded headers are believed (server.forward-headers-strategy).
 * @param readOnly Whether nobody may change anything, whatever their role.
 * @param hosts Names by which browsers reach it behind a proxy that changes the header Host; others are refused. Default: any.
 * @param secret What several processes share that serve the dashboard at one address, at least 16 characters. Default: random in
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

    /** What somebody may do who is not logged in and asks from this machine. */
    public enum OnThisMachine {
        /** Nothing. */
        NOTHING,
        /** Look. */
        LOOK,
        /** Look and change things. */
        OPERATE
    }
}
