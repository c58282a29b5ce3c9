package dev.pawl.dashboard.internal.web;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.PawlException;
import dev.pawl.api.QueueFullException;
import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.Viewer;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.internal.http.WrongCredentials;
import dev.pawl.internal.log.Outage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes every request: checks its host, sender, role and origin, calls its route, and adds the headers that
 * restrict what browsers do with the answer. Thread-safe.
 */
public final class RequestPipeline {
    private static final Logger LOG = LoggerFactory.getLogger(RequestPipeline.class);
    private static final String ASSETS = "/assets/";
    private static final String API = "/api/";
    private static final String LOGIN = "/login";
    /** Maximum body of a login, and of requests that need no body. */
    private static final int SMALL_BODY = 4_096;

    /** Maximum length of the encoded path and parameters. Most servers accept less, and pages repeat the address. */
    private static final int LONGEST_ADDRESS = 16_384;

    /** Maximum length of the page to return to after a login. It is encoded again, in a header, and proxies limit headers. */
    private static final int LONGEST_BACK = 1_000;

    private final Access access;
    private final OriginGuard guard;
    private final Databases databases;
    private final Routes routes;
    private final Assets assets;
    private final HealthChecks checks;
    private final Plain plain;
    private final Audit audit;
    private final Outage outage;
    private final WrongCredentials wrong = new WrongCredentials(LOG, "wrong tokens");

    /** Records refused changes. */
    @FunctionalInterface
    public interface Audit {
        /** Records a change that was refused because of its sender or its origin. */
        void refused(Call call, String why);
    }

    /** The pages that do not need a queue. */
    public interface Plain {
        /** {@return a page with the reason for a refusal} */
        String refused(Request request, @Nullable Viewer viewer, String csrf, int status, String message);

        /** {@return a page with a login form} */
        String login(Request request, String csrf, String message);
    }

    /**
     * @param access authenticates callers
     * @param hosts names by which browsers reach the dashboard
     * @param databases of the dashboard, which share one path for logins
     * @param routes that require authentication
     * @param checks for probes
     * @param plain pages for unauthenticated callers
     * @param audit of refused changes
     */
    public RequestPipeline(
            Access access,
            Set<String> hosts,
            Databases databases,
            Routes routes,
            HealthChecks checks,
            Plain plain,
            Audit audit) {
        this(access, hosts, databases, routes, checks, plain, audit, LOG);
    }

    RequestPipeline(
            Access access,
            Set<String> hosts,
            Databases databases,
            Routes routes,
            HealthChecks checks,
            Plain plain,
            Audit audit,
            Logger log) {
        this.outage = new Outage(log);
        this.access = access;
        this.guard = new OriginGuard(access, hosts);
        this.databases = databases;
        this.routes = routes;
        this.assets = new Assets();
        this.checks = checks;
        this.plain = plain;
        this.audit = audit;
    }

    /** {@return whether the request is answered without the database} */
    public static boolean isQuick(Request request) {
        return isProbe(request) || isTooLong(request);
    }

    private static boolean isProbe(Request request) {
        return request.path().equals("/live") || request.path().equals("/ready");
    }

    private static boolean isTooLong(Request request) {
        return request.path().length() + request.query().length() > LONGEST_ADDRESS;
    }

    /** {@return whether the sender is authenticated} */
    public boolean isAuthenticated(Request request) {
        try {
            guard.requireKnownHost(request);
            return access.viewer(request) != null;
        } catch (RuntimeException e) {
            LOG.debug("a request is not authenticated", e);
            return false;
        }
    }

    /** {@return the maximum number of bytes to read of a request's body} */
    public int mostBytes(Request request) {
        if (isReading(request)) {
            return isAuthenticated(request) ? SMALL_BODY : 0;
        }
        if (isLogin(request)) {
            return SMALL_BODY;
        }
        return isAuthenticated(request) ? Request.MAX_BYTES : 0;
    }

    /** {@return a refusal} */
    public Response refuse(Request request, int status, String why) {
        return Headers.safe(refused(request, status, why));
    }

    /** {@return the answer; never throws} */
    public Response answer(Request request) {
        if (isTooLong(request)) {
            return Headers.safe(refused(
                    request,
                    414,
                    "the address is longer than " + LONGEST_ADDRESS + " characters: request less at once"));
        }
        Response response;
        long sent = System.nanoTime();
        String doing = isReading(request) ? "answer requests" : "make changes";
        try {
            response = admitted(request);
            outage.worked(doing, sent);
        } catch (Refusal e) {
            response = refused(request, e.status(), e.text());
            response = e.allowed().isEmpty() ? response : response.with("Allow", e.allowed());
            response = e.field().isEmpty() ? response : response.with("Pawl-Field", e.field());
        } catch (IllegalArgumentException e) {
            response = refused(request, 400, String.valueOf(e.getMessage()));
        } catch (QueueFullException e) {
            response = refused(request, 429, String.valueOf(e.getMessage()));
        } catch (DatabaseException e) {
            if (e.isTransient() && !isTooLong(e)) {
                outage.failed(doing, e);
            } else {
                LOG.warn("cannot answer {} {}: {}", request.method(), line(request.path()), e.toString());
            }
            response = refused(
                    request,
                    503,
                    isTooLong(e)
                            ? "that takes the database too long: narrow it down, such as to a queue, a kind or a state"
                            : "the database failed; the dashboard's log has details");
        } catch (PawlException e) {
            response = refused(request, 409, String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("cannot answer {} {}", request.method(), line(request.path()), e);
            response = refused(request, 500, "something is wrong with the dashboard; its log has more");
        }
        return Headers.safe(response);
    }

    private static boolean isTooLong(DatabaseException e) {
        // PostgreSQL's driver has no exception of its own for timeouts.
        return e.sqlException() instanceof SQLTimeoutException
                || "57014".equals(e.sqlException().getSQLState());
    }

    private static String line(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    private Response admitted(Request request) {
        String path = request.path();
        int most = request.path().equals(LOGIN) ? SMALL_BODY : Request.MAX_BYTES;
        if (request.body().length > most) {
            throw new Refusal(413, "the request is larger than " + most + " bytes");
        }
        if (isReading(request) && isProbe(request)) {
            // before the check of the host, because probes call by IP address; the answer reveals no data
            return checks.answer(path);
        }
        guard.requireKnownHost(request);
        if (isReading(request) && path.startsWith(ASSETS)) {
            return assets.answer(request, path.substring(ASSETS.length()));
        }
        boolean api = path.startsWith(API);
        String browser = access.browser(request);
        boolean isNew = browser == null;
        browser = Objects.requireNonNullElseGet(browser, Seal::nonce);
        Viewer viewer = access.viewer(request);
        if (viewer == null && !access.isOpen() && Access.bearer(request) != null) {
            wrong.refused();
        }
        if (isReading(request)) {
            guard.requireOwnRead(request, api);
        }
        Response response = isLogin(request)
                ? login(request, browser)
                : viewer == null ? unauthenticated(request, api) : known(request, viewer, browser, api);
        // Another site's POST lacks the cookie. A new one would make the forms of open pages invalid.
        return api || !isNew || !isReading(request)
                ? response
                : Cookies.set(response, request, databases.root(request), Access.browserCookie(), browser, -1);
    }

    private static boolean isReading(Request request) {
        return request.method().equals("GET") || request.method().equals("HEAD");
    }

    private boolean isLogin(Request request) {
        return request.path().equals(LOGIN)
                && !access.isOpen()
                && databases.mount().isEmpty();
    }

    private Response known(Request request, Viewer viewer, String browser, boolean api) {
        Routes.Match match = routes.match(request.method(), request.path());
        boolean isLive = request.header("hx-request") != null;
        String flash = isLive ? null : Cookies.read(request, databases.messageCookie());
        Call call = Call.of(request, viewer, match.id(), access.csrf(browser), flash);
        if (!isReading(request)) {
            requireAllowed(call, api);
        } else if (call.countsExactly()) {
            OriginGuard.requireOwnSite(request);
        }
        Response response = match.handler().handle(call);
        return flash != null && response.status() == 200
                ? Cookies.set(response, request, request.prefix(), databases.messageCookie(), "", 0)
                : response;
    }

    private void requireAllowed(Call call, boolean api) {
        try {
            if (!call.viewer().isOperator()) {
                throw new Refusal(403, call.viewer().name() + " has read-only access");
            }
            guard.requireOurPage(call, api);
        } catch (Refusal e) {
            audit.refused(call, e.text());
            throw e;
        }
    }

    private Response unauthenticated(Request request, boolean api) {
        if (access.isOpen()) {
            throw new Refusal(403, "not authenticated");
        }
        if (api) {
            return refused(request, 401, "send the header 'Authorization: Bearer TOKEN' with a token of this dashboard")
                    .with("WWW-Authenticate", "Bearer realm=\"pawl\"");
        }
        String page = databases.mount() + request.path() + (request.query().isEmpty() ? "" : "?" + request.query());
        boolean isReturning = isReading(request) && !page.equals("/") && page.length() <= LONGEST_BACK;
        String login = databases.root(request)
                + LOGIN
                + (isReturning ? "?back=" + URLEncoder.encode(page, StandardCharsets.UTF_8) : "");
        return new Response(303, List.of(Map.entry("Location", login)), new byte[0]);
    }

    private Response login(Request request, String browser) {
        if (isReading(request)) {
            return Response.text(200, "text/html", plain.login(request, access.csrf(browser), ""));
        }
        Call call = Call.of(request, new Viewer("", dev.pawl.dashboard.Role.READ_ONLY), 0, "", null);
        guard.requireOurPage(call, false);
        Response next =
                new Response(303, List.of(Map.entry("Location", request.prefix() + afterLogin(call))), new byte[0]);
        if (call.parameter("leave") != null) {
            access.logout(request);
            return Cookies.set(next, request, request.prefix(), Access.sessionCookie(), "", 0);
        }
        String session = access.login(
                Objects.requireNonNullElse(call.parameter("token"), "").strip());
        if (session == null) {
            wrong.refused();
            String page = plain.login(request, access.csrf(browser), "That is not a token of this dashboard.");
            return Response.text(403, "text/html", page);
        }
        return Cookies.set(next, request, request.prefix(), Access.sessionCookie(), session, -1);
    }

    /**
     * {@return the page that was requested} Another site may have made the link, so the overview replaces the API and exact counts, and a
     * page whose parameters cannot be read.
     */
    private static String afterLogin(Call call) {
        String page = call.back();
        int fragment = page.indexOf('#');
        String address = fragment < 0 ? page : page.substring(0, fragment);
        try {
            boolean refused = address.contains(API)
                    || Call.countsExactly(Form.parse(address.substring(address.indexOf('?') + 1)));
            return refused ? "/" : address;
        } catch (Refusal unreadable) {
            return "/";
        }
    }

    private Response refused(Request request, int status, String message) {
        if (request.path().startsWith(API)) {
            return Response.text(status, "application/json", Json.write(Map.of("error", message)));
        }
        Viewer viewer = null;
        try {
            viewer = access.viewer(request);
        } catch (RuntimeException e) {
            LOG.debug("the refused user is unknown", e);
        }
        String browser = access.browser(request);
        String csrf = browser == null ? "" : access.csrf(browser);
        return Response.text(status, "text/html", plain.refused(request, viewer, csrf, status, message));
    }
}
