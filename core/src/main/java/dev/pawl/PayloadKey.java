package dev.pawl;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.PayloadCodec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Derives the unique key of {@link EnqueueOptions#uniqueByPayload()}. */
final class PayloadKey {
    private PayloadKey() {}

    /** {@return the job with the key derived from its payload; the same job if it has another key or none} */
    static JobRequest derive(JobRequest request, PayloadCodec codec) {
        EnqueueOptions options = request.options();
        if (!options.isUniqueByPayload()) {
            return request;
        }
        String key = "payload " + digest(codec.identity(request.payload()));
        return new JobRequest(
                request.kind(),
                request.payload(),
                options.uniqueFor() == null ? options.uniqueKey(key) : options.uniqueKey(key, options.uniqueFor()));
    }

    private static String digest(String payload) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(payload.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
