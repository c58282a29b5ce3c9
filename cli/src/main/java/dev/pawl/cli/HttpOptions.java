package dev.pawl.cli;

import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Additions to the requests of {@code http:} handlers: headers, and a signature of the body. */
final class HttpOptions {
    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description =
                    "A header for http: requests; may be repeated. A $$NAME at the end of the value is"
                            + " replaced by that environment variable; use it for secrets, because others can see command lines. With"
                            + " PAWL_HTTP_SECRET in the environment, requests carry Pawl-Signature: sha256=<hex HMAC-SHA256 of the body>.")
    private List<String> headers = new ArrayList<>();

    private static final Set<String> NAMED = ConcurrentHashMap.newKeySet();

    private final Map<String, String> parsed = new LinkedHashMap<>();
    private byte @Nullable [] secret;

    /** Reads headers and environment once; refuses malformed ones before any job is claimed. */
    HttpOptions ready() {
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                throw new UsageException("--header '" + Texts.cut(header) + "' is not valid: write NAME:VALUE");
            }
            String name = header.substring(0, colon).strip();
            parsed.put(name, value(name, header.substring(colon + 1).strip()));
            try {
                parsed.forEach(HttpRequest.newBuilder()::header);
            } catch (IllegalArgumentException e) {
                throw new UsageException("--header " + Texts.cut(name) + " cannot be sent: its name is reserved, or its"
                        + " name or value contains invalid characters");
            }
        }
        String given = System.getenv("PAWL_HTTP_SECRET");
        if (given == null) {
            given = System.getProperty("pawl.http.secret"); // for tests, which cannot set their environment
        }
        if (given != null && !given.isBlank()) {
            secret = given.strip().getBytes(StandardCharsets.UTF_8);
        }
        return this;
    }

    private static String value(String header, String text) {
        if (!text.contains("$")) {
            return text;
        }
        int dollar = text.indexOf('$');
        String variable = text.substring(dollar + 1);
        String value = System.getenv(variable);
        if (value == null) {
            throw new UsageException("--header " + Texts.cut(header) + ": the environment has no variable "
                    + Texts.cut(variable) + "; write NAME:VALUE, and $VARIABLE at the end of the value");
        }
        NAMED.add(variable);
        return text.substring(0, dollar) + value.strip();
    }

    /** {@return the environment variables that headers reference: probably secrets} */
    static Set<String> namedVariables() {
        return Set.copyOf(NAMED);
    }

    void apply(HttpRequest.Builder request, String body) {
        parsed.forEach(request::setHeader);
        byte[] key = secret;
        if (key != null) {
            request.setHeader("Pawl-Signature", "sha256=" + signature(key, body));
        }
    }

    static String signature(byte[] key, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
