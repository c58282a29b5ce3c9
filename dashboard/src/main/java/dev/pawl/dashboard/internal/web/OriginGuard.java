package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that other web sites make a browser send. A site may point its own name at this machine (DNS
 * rebinding): then the header Host contains that name. Or it may make a browser post a form here: then Origin is that
 * site, and the form lacks the token of the dashboard's own forms.
 */
final class OriginGuard {
    private static final int LONGEST_SHOWN = 100;

    private final Access access;
    private final Set<String> hosts;

    /**
     * @param access authenticates callers
     * @param hosts names by which browsers reach the dashboard, in lower case; if empty, any name is accepted, provided that callers are
     *     authenticated
     */
    OriginGuard(Access access, Set<String> hosts) {
        this.access = access;
        this.hosts = Set.copyOf(hosts);
    }

    void requireKnownHost(Request request) {
        boolean any = hosts.isEmpty() && (!access.isOpen() || request.viewer() != null);
        String name = name(request.header("host"));
        if (!any && (name == null || (!isLoopback(name) && !hosts.contains(name)))) {
            throw new Refusal(
                    421,
                    "this dashboard is not known by "
                            + (name == null
                                    ? "a request without the header Host"
                                    : "the name " + cut(name) + " (header Host)")
                            + ": use localhost, have a proxy pass Host on, or name it with --host (DashboardBuilder.hosts)");
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

    /** Checks a request that changes something. */
    void requireOurPage(Call call, boolean api) {
        Request request = call.request();
        requireOwnOrigin(request);
        boolean hasBearer = Access.bearer(request) != null && request.viewer() == null && !access.isOpen();
        if (api && (hasBearer || request.header("pawl-request") != null)) {
            return; // other sites can send these headers only after a preflight, which is never allowed
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

    /**
     * Checks a read. A read costs the database something, and without a login any site can make a browser on this machine send it. Links to
     * pages may be followed from anywhere; subresource requests of another site are refused.
     */
    void requireOwnRead(Request request, boolean api) {
        boolean isLink = "navigate".equals(request.header("sec-fetch-mode"))
                && "document".equals(request.header("sec-fetch-dest"));
        if (api || !isLink) {
            requireOwnSite(request);
        }
        String referer = request.header("referer");
        if (api && referer != null && request.header("sec-fetch-site") == null && !isOurs(referer, request)) {
            throw new Refusal(403, "another web site has had the browser send this: " + cut(referer));
        }
    }

    /** Checks an expensive read, to which not even a link of another site may lead. */
    static void requireOwnSite(Request request) {
        String site = request.header("sec-fetch-site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw new Refusal(
                    403,
                    "another web site has sent this, as the browser reports (Sec-Fetch-Site: " + cut(site)
                            + "): open the dashboard by its own address and repeat it there");
        }
    }

    private void requireOwnOrigin(Request request) {
        requireOwnSite(request);
        String origin = request.header("origin");
        if (origin != null && !isOurs(origin, request)) {
            String host = request.header("host");
            String forwarded = request.header("x-forwarded-host");
            throw new Refusal(
                    403,
                    "the browser is at " + cut(origin) + " (header Origin), and the dashboard was called "
                            + (host == null ? "without a name (no header Host)" : cut(host) + " (header Host)")
                            + ". Either another web site has sent this, or a proxy has changed Host"
                            + (forwarded == null
                                    ? ""
                                    : "; X-Forwarded-Host says " + cut(forwarded) + " and is not used")
                            + ". Have the proxy pass Host on (nginx: proxy_set_header Host $http_host), or start the dashboard"
                            + " with --host NAME (DashboardBuilder.hosts)");
        }
    }

    private static String cut(String header) {
        String line = header.replaceAll("[^ -~]", "?");
        return line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "…" : line;
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
