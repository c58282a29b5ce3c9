package dev.pawl.internal.lane;

import dev.pawl.api.Strategy;
import dev.pawl.internal.enqueue.AppendJobs;
import dev.pawl.internal.feature.QueueBounds;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.store.ClaimStrategy;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lanes of a database, as one program uses them to enqueue, claim and rescue. Thread-safe. */
public final class LaneStore {
    private static final Logger LOG = LoggerFactory.getLogger(LaneStore.class);

    private final Database database;
    private final Lanes lanes;
    private final LaneAppend append;
    private final ExpiredRanges expired;
    private final LateJobs late;
    private final @Nullable OneStatementClaim ownClaim;

    /**
     * @param database the pool and the dialect
     */
    public LaneStore(Database database) {
        this.database = database;
        this.lanes = new Lanes(database.dialect());
        this.append = new LaneAppend(database.dialect(), lanes);
        this.expired = new ExpiredRanges(database);
        this.late = new LateJobs(database, lanes);
        this.ownClaim = LaneDatabase.of(database.dialect()).claim(database.dialect());
    }

    /** {@return what appends jobs to open lanes} */
    public AppendJobs appendJobs() {
        return append;
    }

    /** {@return the backlog limits of queues, which are read in the same statement as the lanes} */
    public QueueBounds bounds() {
        return lanes;
    }

    /**
     * @param strategy as configured
     * @param rows makes a strategy for jobs with rows
     * @param settling how runs of lanes are settled
     * @return a new strategy that also runs the jobs of lanes
     */
    public ClaimStrategy strategy(
            Strategy strategy, Function<Strategy, ClaimStrategy> rows, LaneStrategy.Settling settling) {
        return strategy instanceof Strategy.Lanes || strategy instanceof Strategy.Auto
                ? new LaneStrategy(database, lanes, rows.apply(Strategy.ROWS), settling, ownClaim, late)
                : new DrainedLanes(database, lanes, rows.apply(strategy), late);
    }

    /**
     * Gives rows to the jobs of ranges whose lease has expired. A range that fails does not prevent the rescue of rows and of other ranges.
     *
     * @throws SQLException if the database is not available
     */
    public void openExpired() throws SQLException {
        try {
            expired.open();
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            LOG.warn("cannot rescue all jobs of lanes whose lease has expired, will try again: {}", e.toString());
            LOG.debug("cannot rescue all jobs of lanes whose lease has expired", e);
        }
    }

    /**
     * Gives rows to jobs that were committed after later ones had been claimed.
     *
     * @throws SQLException from the driver
     */
    public void findLate() throws SQLException {
        int unused = late.find();
    }
}
