package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Fault;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The errors of a duty, which continues with its remaining work until there are too many. Not thread-safe. */
final class Trouble {
    /**
     * After this number of consecutive errors, the rest is left for the next pass, because the database may be at fault and not a job.
     */
    private static final int MAX_FAILURES = 20;
    /** The longest duration of the whole work once there was an error, because other duties wait for this one. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final long begunNanos = System.nanoTime();
    private @Nullable SQLException first;
    private @Nullable SQLException permanent;
    private int failures;

    /** A part of the work. */
    interface Part {
        void run() throws SQLException;
    }

    /** Runs a part of the work. An error does not end the work, unless the database is unreachable. */
    void attempt(Part part) throws SQLException {
        try {
            part.run();
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            add(e);
            if (permanent == null && !Fault.of(e).isTransient()) {
                permanent = e;
            }
        }
    }

    /** Adds an error of a single job. If it is permanent, the caller logs it. */
    void add(SQLException e) {
        if (first == null || !Fault.of(first).isTransient()) {
            first = e;
        }
        failures++;
    }

    /** Resets the count of consecutive errors. */
    void succeeded() {
        failures = 0;
    }

    boolean isTooMuch() {
        return isTooMany() || isTooLong();
    }

    /** {@return whether there were too many consecutive errors} */
    boolean isTooMany() {
        return failures >= MAX_FAILURES;
    }

    /** {@return whether there was an error, and the work has taken too long} */
    boolean isTooLong() {
        return first != null && System.nanoTime() - begunNanos > LONGEST.toNanos();
    }

    /**
     * To be called at the end of the work.
     *
     * @throws SQLException a transient error, if there was one; otherwise the first permanent error of a part
     */
    void end() throws SQLException {
        if (first != null && Fault.of(first).isTransient()) {
            if (permanent != null) {
                first.addSuppressed(permanent);
            }
            throw first;
        }
        if (permanent != null) {
            throw permanent;
        }
    }
}
