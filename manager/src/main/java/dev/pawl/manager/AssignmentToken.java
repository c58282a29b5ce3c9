package dev.pawl.manager;

import dev.pawl.spi.RemoteRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The credential that a worker presents when it calls about a run. It holds everything that a manager needs and is
 * signed with the shared secret, so any manager can take the call, even one that was started later. The database
 * decides whether the run is still wanted.
 *
 * @param run the run
 * @param longest maximum run time
 * @param realm of the tables, see {@link dev.pawl.spi.RemoteRuns#realm}
 */
record AssignmentToken(RemoteRun run, Duration longest, String realm) {
    private static final String VERSION = "1";
    private static final int LONGEST = 1000;

    String sign(Secret secret) {
        String text = String.join(
                ".",
                VERSION,
                Long.toString(run.leaseToken()),
                Long.toString(longest.toMillis()),
                realm,
                encode(run.worker().getBytes(StandardCharsets.UTF_8)));
        return text + "." + signature(secret, run.jobId(), text);
    }

    /** {@return the content of the token; null if it was not signed for this job} */
    static @Nullable AssignmentToken read(Secret secret, long jobId, String token) {
        int end = token.lastIndexOf('.');
        if (end < 0
                || token.length() > LONGEST
                || !Secret.sameText(signature(secret, jobId, token.substring(0, end)), token.substring(end + 1))) {
            return null;
        }
        String[] parts = token.split("\\.", -1);
        if (parts.length != 6 || !parts[0].equals(VERSION)) {
            return null; // from a newer manager
        }
        String worker = new String(Base64.getUrlDecoder().decode(parts[4]), StandardCharsets.UTF_8);
        return new AssignmentToken(
                new RemoteRun(jobId, Long.parseLong(parts[1]), worker),
                Duration.ofMillis(Long.parseLong(parts[2])),
                parts[3]);
    }

    private static String signature(Secret secret, long jobId, String text) {
        return encode(secret.sign(jobId + "." + text));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
