package dev.pawl.importer;

import dev.pawl.api.EnqueueOptions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records which rows of a peer were copied. Each copied job has a unique key that is held for ten years, regardless of the job's outcome
 * and retention. Jobs that are taken over need no such key, because they have left the peer.
 */
final class Ledger {
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final int LONGEST_KEY = 200;

    private final String prefix;
    private final Map<String, Long> jobs;

    private Ledger(String prefix, Map<String, Long> jobs) {
        this.prefix = prefix;
        this.jobs = jobs;
    }

    /**
     * {@return the recorded copies of all kinds, so that a second import with another mapping of kinds creates no second job}
     *
     * @param connection to Pawl's tables
     * @param uniqueKeys the name of the table of unique keys, as SQL statements use it
     * @param peer its name in --from
     */
    static Ledger read(Connection connection, String uniqueKeys, String peer) throws SQLException {
        String prefix = "import:" + peer + ":";
        Map<String, Long> jobs = new HashMap<>();
        int unused = Rows.all(
                        connection,
                        "SELECT unique_key, job_id FROM " + uniqueKeys + " WHERE unique_key LIKE ? AND job_id > 0",
                        row -> jobs.put(row.getString(1), row.getLong(2)),
                        prefix + "%")
                .size();
        return new Ledger(prefix, jobs);
    }

    @Nullable
    Long jobId(String id) {
        return jobs.get(key(id));
    }

    EnqueueOptions keyed(EnqueueOptions options, String id) {
        return options.uniqueKey(key(id), LONGEST);
    }

    /** Uses a hash for ids that are too long or not valid as keys. */
    private String key(String id) {
        String key = prefix + id;
        boolean fits = key.length() <= LONGEST_KEY
                && key.equals(key.strip())
                && key.chars().noneMatch(Character::isISOControl);
        return fits ? key : prefix + hash(id);
    }

    private static String hash(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
