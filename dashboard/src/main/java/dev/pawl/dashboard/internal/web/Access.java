package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Authenticates the sender of a request: the server's viewer, a token, or anyone if no token is set. Thread-safe. */
public final class Access {
    private static final String SESSION = "pawl_session";
    private static final String BROWSER = "pawl_browser";
    private static final Duration SESSION_LENGTH = Duration.ofHours(12);

    private final Map<Role, String> tokens;
    private final boolean readOnly;
    private final Seal seal;
    private final Clock clock;
    private final RevokedSessions ended = new RevokedSessions();

    /**
     * @param tokens by role; empty admits everyone
     * @param secret shared by the processes of one dashboard; null for none
     * @param readOnly whether all changes are forbidden
     * @param clock for the expiry of sessions
     */
    public Access(Map<Role, String> tokens, @Nullable String secret, boolean readOnly, Clock clock) {
        this.tokens = Map.copyOf(tokens);
        this.readOnly = readOnly;
        this.seal = secret == null ? Seal.random() : Seal.of(secret, List.copyOf(new TreeMap<>(tokens).values()));
        this.clock = clock;
    }

    /** {@return whether every caller is admitted} */
    public boolean isOpen() {
        return tokens.isEmpty();
    }

    /** {@return the viewer; null if not authenticated} */
    @Nullable
    Viewer viewer(Request request) {
        Viewer found = request.viewer() != null ? request.viewer() : own(request);
        return found != null && readOnly ? found.readOnly() : found;
    }

    private @Nullable Viewer own(Request request) {
        if (isOpen()) {
            return new Viewer("local user", Role.OPERATOR);
        }
        String bearer = bearer(request);
        if (bearer != null) {
            return holder(bearer);
        }
        String session = Cookies.read(request, SESSION);
        return session == null ? null : ofSession(session);
    }

    /** {@return the bearer token of a program; null if there is none, for example because a proxy's password is sent instead} */
    static @Nullable String bearer(Request request) {
        String authorization = request.header("authorization");
        return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)
                ? authorization.substring(7).strip()
                : null;
    }

    private @Nullable Viewer holder(String token) {
        for (Map.Entry<Role, String> known : tokens.entrySet()) {
            if (Seal.same(known.getValue(), token)) {
                return named(known.getKey());
            }
        }
        return null;
    }

    private static Viewer named(Role role) {
        return new Viewer(role == Role.OPERATOR ? "holder of the token" : "holder of the read token", role);
    }

    /** A session with a valid seal. */
    private record Session(Role role, long end, String nonce) {}

    private @Nullable Session session(String text) {
        String[] parts = text.split("\\.", 5);
        if (parts.length != 4 || !seal.isOf("session", parts[0] + "." + parts[1] + "." + parts[2], parts[3])) {
            return null;
        }
        return new Session(Role.valueOf(parts[0]), Long.parseLong(parts[1]), parts[2]);
    }

    private @Nullable Viewer ofSession(String text) {
        Session session = session(text);
        if (session == null
                || session.end < clock.instant().getEpochSecond()
                || ended.isRefused(session.nonce, session.end)) {
            return null;
        }
        return tokens.containsKey(session.role) ? named(session.role) : null;
    }

    /** {@return a session for the holder of this token; null if the token is wrong} */
    @Nullable
    String login(String token) {
        Viewer viewer = holder(token);
        if (viewer == null) {
            return null;
        }
        String session =
                viewer.role() + "." + clock.instant().plus(SESSION_LENGTH).getEpochSecond() + "." + Seal.nonce();
        return session + "." + seal.of("session", session);
    }

    /** Ends the sender's session, so that kept copies of its cookie are refused. */
    void logout(Request request) {
        String cookie = Cookies.read(request, SESSION);
        Session session = cookie == null ? null : session(cookie);
        long now = clock.instant().getEpochSecond();
        if (session != null && session.end >= now) {
            ended.add(session.nonce, session.end, now);
        }
    }

    static String sessionCookie() {
        return SESSION;
    }

    /** {@return the identifier of a browser; null if it is new} */
    @Nullable
    String browser(Request request) {
        String known = Cookies.read(request, BROWSER);
        return known != null && known.matches("[A-Za-z0-9_-]{22}") ? known : null;
    }

    static String browserCookie() {
        return BROWSER;
    }

    /** {@return the token that a form of this browser must contain} */
    String csrf(String browser) {
        return seal.of("csrf", browser);
    }

    boolean isCsrf(String browser, String given) {
        return seal.isOf("csrf", browser, given);
    }
}
