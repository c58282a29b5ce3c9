package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobLogLine;
import dev.pawl.api.TypeToken;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.codec.JacksonCodec;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;

/** A payload that must not be readable in the database. Its value does not exist in the handler's type, so decoding fails. */
final class Secret {
    private static final String WORD = "TOPSECRET";

    private static final EncryptedCodec CODEC =
            EncryptedCodec.of(new JacksonCodec(), "key", new SecretKeySpec(new byte[32], "AES"));

    /** As it is stored. */
    static final String PAYLOAD = CODEC.encode(WORD, TypeToken.of(String.class));

    /** The values that the program knows. */
    private enum Level {
        PUBLIC
    }

    private Secret() {}

    static boolean isSecret(String payload) {
        return payload.equals(PAYLOAD);
    }

    /** Reads a payload as the handler would. */
    static void read(String payload) {
        Level unused = CODEC.decode(payload, TypeToken.of(Level.class));
    }

    /** Requires that the errors and log lines of a job do not reveal its payload. */
    static void requireHidden(JobQueue queue, long job) {
        Stream<String> errors = queue.admin().runs().failedAttempts(job, Admin.UNLIMITED).stream()
                .map(FailedAttempt::error);
        Stream<String> lines =
                queue.admin().runs().log(job, Admin.UNLIMITED).stream().map(JobLogLine::line);
        Stream.concat(errors, lines)
                .forEach(text -> require(
                        !text.contains(WORD),
                        "job %s: an error or log line reveals its encrypted payload: %s",
                        job,
                        text));
    }
}
