package dev.pawl.internal.lane;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.AppendJobs;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends jobs to the open lane of their queue and priority. Thread-safe. */
public final class LaneAppend implements AppendJobs {
    /** Maximum age of the information that there is no lane. */
    private static final Duration NONE_AGE = Duration.ofSeconds(1);

    /** Maximum age of the information that a lane is open. */
    static final Duration OPEN_AGE = Duration.ofSeconds(5);

    private final Lanes lanes;
    private final LaneWriter writer;
    private final boolean oneWriter;

    /**
     * @param dialect the product
     * @param lanes of the database
     */
    public LaneAppend(Dialect dialect, Lanes lanes) {
        this.lanes = lanes;
        this.writer = LaneDatabase.of(dialect).writer(dialect);
        this.oneWriter = !dialect.mayCommitLate();
    }

    @Override
    public Destinations destinations(Connection connection) {
        return new OpenLanes(connection);
    }

    private final class OpenLanes implements Destinations {
        private final Connection connection;
        /** The node that draws the ids; read once. */
        private @Nullable Integer node;

        OpenLanes(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable Destination find(EnqueueOptions options) throws SQLException {
            if (oneWriter && connection.getAutoCommit()) {
                // the transaction that writes the job must draw its id, but in autocommit these are two transactions
                return null;
            }
            if (lanes.isOlderThan(lanes.open(options.queue(), options.priority()) == null ? NONE_AGE : OPEN_AGE)) {
                lanes.read(connection);
            }
            Integer of = node;
            if (of == null) {
                of = lanes.node(connection);
                node = of;
            }
            Lane lane = lanes.open(options.queue(), options.priority(), of);
            return lane == null ? null : new OpenLane(lane.id(), lanes, writer);
        }
    }

    @Override
    public boolean inOneStatement(EnqueueOptions options) {
        return !oneWriter && lanes.open(options.queue(), options.priority()) != null;
    }

    private record OpenLane(int lane, Lanes lanes, LaneWriter writer) implements Destination {
        /**
         * Appends jobs. If the lane is gone because the database has lost its last commits, jobs get rows until a
         * worker opens it again.
         */
        @Override
        public List<Long> append(Connection connection, List<JobRequest> jobs) throws SQLException {
            List<Long> ids = writer.append(connection, lane, jobs);
            if (ids.isEmpty()) {
                lanes.read(connection);
            }
            return ids;
        }
    }
}
