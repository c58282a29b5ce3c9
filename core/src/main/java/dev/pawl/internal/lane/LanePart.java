package dev.pawl.internal.lane;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.place.Conditions;
import dev.pawl.internal.place.PlacePart;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A lane as a part of a place, for commands for many jobs. */
final class LanePart implements PlacePart {
    private final Lane lane;
    private final Verbs verbs;

    private LanePart(Lane lane, Verbs verbs) {
        this.lane = lane;
        this.verbs = verbs;
    }

    /** Shared by all lanes. */
    private record Verbs(LaneReads reads, LaneDrain drain, LanePages pages, LaneErasure erasure) {}

    static List<PlacePart> all(Database database) throws SQLException {
        Dialect dialect = database.dialect();
        LaneReads reads = new LaneReads(dialect);
        Verbs verbs = new Verbs(reads, new LaneDrain(dialect), new LanePages(database), new LaneErasure(dialect));
        return database.autocommit(reads::lanes).stream()
                .<PlacePart>map(lane -> new LanePart(lane, verbs))
                .toList();
    }

    @Override
    public String queue() {
        return lane.queue();
    }

    @Override
    public long newest(Connection connection) throws SQLException {
        return verbs.reads.newest(connection, lane.id());
    }

    @Override
    public List<Job> page(Connection connection, JobState state, Conditions conditions, int limit) throws SQLException {
        return verbs.reads.ofLane(connection, lane, state, conditions, limit);
    }

    @Override
    public int giveRows(Connection connection, long last, int limit) throws SQLException {
        return verbs.drain.drain(connection, lane, last, limit);
    }

    @Override
    public Found takeWaiting(List<Long> ids) throws SQLException {
        return verbs.pages.takeWaiting(lane, ids);
    }

    @Override
    public int takeRunning(List<Long> ids) throws SQLException {
        return verbs.pages.takeRunning(lane, ids);
    }

    @Override
    public List<Long> delete(Connection connection, List<Long> ids) throws SQLException {
        return verbs.erasure.erase(connection, lane.id(), ids);
    }

    @Override
    public List<Long> deleteCopies(Connection connection, List<Long> ids) throws SQLException {
        return verbs.erasure.eraseCopies(connection, lane.id(), ids);
    }
}
