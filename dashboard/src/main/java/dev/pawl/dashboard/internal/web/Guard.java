package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what other web sites have browsers send. A site may point its own name at this machine (DNS rebinding): then the
 * header Host holds that name. And it may have a browser post a form here: then Origin is that site, and the form lacks the
 * text that only our pages hold.
 */
final class Guard {
    private final Access access;
    private final Set<String> hosts;

    /**
     * @param access who may come in
     * @param hosts names by which browsers reach the dashboard, in lower case; empty for any, if there is a credential
     */
    Guard(Access access, Set<String> hosts) {
        this.access = access;
        this.hosts = Set.copyOf(hosts);
    }

    void requireKnownHost(Request request) {
        boolean any = hosts.isEmpty() && (!access.isOpen() || request.viewer() != null);
        String name = name(request.header("host"));
        if (!any && (name == null || (!isLoopback(name) && !hosts.contains(name)))) {
            throw new Refusal(
                    421,
                    "this dashboard is not known by that name: use localhost, or name it with --host (DashboardBuilder.hosts)");
        }
    }

    private static @Nullable String name(@Nullable String host) {
        return host == null ? null : host.strip().toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", "");
    }

    static boolean isLoopback(String name) {
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.matches("127(\\.[0-9]{1,3}){3}")
                || name.equals("[::1]");
    }

    /** For every request that is to change something. */
    void requireOurPage(Call call, boolean api) {
        Request request = call.request();
        requireOwnOrigin(request);
        boolean hasBearer = Access.bearer(request) != null && request.viewer() == null && !access.isOpen();
        if (api && (hasBearer || request.header("pawl-request") != null)) {
            return; // no site can have a browser send these without asking us, and we never allow it
        }
        if (api) {
            throw new Refusal(403, "send the header 'Pawl-Request: 1', which no other site can make a browser send");
        }
        String browser = access.browser(request);
        String given = Objects.requireNonNullElse(call.parameter("csrf"), "");
        if (browser == null || !access.isCsrf(browser, given)) {
            throw new Refusal(403, "this form is not of this dashboard, or too old: load the page again");
        }
    }

    private void requireOwnOrigin(Request request) {
        String site = request.header("sec-fetch-site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw new Refusal(403, "another web site has sent this");
        }
        String origin = request.header("origin");
        if (origin != null && !isOurs(origin, request)) {
            throw new Refusal(403, "another web site has sent this");
        }
    }

    private boolean isOurs(String origin, Request request) {
        try {
            URI uri = new URI(origin);
            String authority = uri.getRawAuthority();
            String host = uri.getHost();
            return authority != null
                    && host != null
                    && (authority.equalsIgnoreCase(request.header("host"))
                            || hosts.contains(host.toLowerCase(Locale.ROOT)));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
