package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Response;
import java.util.Map;

/** The headers of every response. */
public final class Headers {
    /** Only local scripts and styles; no framing, and no forms to other sites. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final Map<String, String> ALWAYS = Map.of(
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "same-origin",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin");

    private Headers() {}

    /** {@return the response with these headers} */
    public static Response safe(Response response) {
        Response safe = response;
        for (Map.Entry<String, String> header : ALWAYS.entrySet()) {
            safe = safe.with(header.getKey(), header.getValue());
        }
        boolean isKept =
                response.headers().stream().anyMatch(header -> header.getKey().equals("Cache-Control"));
        return isKept ? safe : safe.with("Cache-Control", "no-store");
    }
}
