package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Fault;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What goes wrong in a look that goes on with the rest all the same, for a while. Not thread-safe. */
final class Trouble {
    /** So often one after another, and the rest is left for next time: it may be the database, and not a job. */
    private static final int MOST_IN_VAIN = 20;
    /** After an error; other duties wait for this one. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final long begunNanos = System.nanoTime();
    private @Nullable SQLException first;
    private int inVain;

    /** A part of the look. */
    interface Part {
        void run() throws SQLException;
    }

    /** The rest is looked at even if this part fails, unless the database is gone. */
    void beside(Part part) throws SQLException {
        try {
            part.run();
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            add(e);
        }
    }

    void add(SQLException e) {
        if (first == null || !Fault.of(first).isTransient()) {
            first = e;
        }
        inVain++;
    }

    /** Something went well. */
    void overcome() {
        inVain = 0;
    }

    boolean isTooMuch() {
        return inVain >= MOST_IN_VAIN || (first != null && System.nanoTime() - begunNanos > LONGEST.toNanos());
    }

    /**
     * At the end of the look.
     *
     * @throws SQLException what may go well later; what never will has been written to the log
     */
    void end() throws SQLException {
        if (first != null && Fault.of(first).isTransient()) {
            throw first;
        }
    }
}
