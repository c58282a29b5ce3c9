package dev.pawl.shard;

import dev.pawl.api.SchemaException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Determines how long to wait between the tries to start the worker of a shard, and what to log. Confined to one thread. */
final class StartTries {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.shard");
    /** Numbers are ignored, because the message of a connection pool contains how long the caller has waited, which differs each time. */
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    private static final long SHORTEST_WAIT = 250;
    private static final long LONGEST_WAIT = 10_000;

    private final String shard;
    private long wait = SHORTEST_WAIT;
    private @Nullable String cause;
    private int failures;

    StartTries(Shard shard) {
        this.shard = shard.name();
    }

    /** {@return whether only a change of the program can help} A database or a pool that cannot be reached throws other exceptions. */
    static boolean isMistake(Throwable error) {
        return error instanceof IllegalArgumentException
                || error instanceof IllegalStateException
                || error instanceof NullPointerException
                || error instanceof ClassCastException
                || error instanceof UnsupportedOperationException
                || error instanceof SchemaException
                || error instanceof LinkageError;
    }

    /** {@return how many milliseconds to wait before the next try} Logs each cause once. */
    long failed(Throwable error) {
        failures++;
        boolean isMistake = isMistake(error);
        long before = isMistake ? LONGEST_WAIT : wait;
        wait = Math.min(2 * wait, LONGEST_WAIT);
        String text = String.valueOf(error);
        String newCause = NUMBERS.matcher(text).replaceAll("0");
        if (newCause.equals(cause)) {
            LOG.debug("shard {}: no worker yet: {}", shard, text);
        } else if (isMistake || error instanceof Error) {
            LOG.error("shard {}: its worker cannot start; trying again every 10 s", shard, error);
        } else {
            LOG.warn("shard {}: no worker yet, trying again until it can start: {}", shard, text);
        }
        cause = newCause;
        return before;
    }

    int failures() {
        return failures;
    }

    void ended() {
        if (failures > 0) {
            LOG.info("shard {}: its worker has started", shard);
        }
    }
}
