package dev.pawl.internal.lane;

import dev.pawl.admin.Finding;
import dev.pawl.api.Strategy;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.place.JobPlace;
import dev.pawl.internal.place.PlaceCommands;
import dev.pawl.internal.place.PlaceCounts;
import dev.pawl.internal.place.PlacePart;
import dev.pawl.internal.place.PlaceProgress;
import dev.pawl.internal.place.PlacePruner;
import dev.pawl.internal.place.PlaceReads;
import dev.pawl.internal.place.PlaceRuns;
import dev.pawl.internal.place.PlaceSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Lanes as storage of jobs; each lane is a part. */
public final class LanePlace implements JobPlace {
    @Override
    public PlaceSql sql() {
        return new LanePlaceSql();
    }

    @Override
    public PlaceReads reads(Dialect dialect) {
        return new LaneReads(dialect);
    }

    @Override
    public PlaceCounts counts(Dialect dialect) {
        return new LaneCounts(dialect);
    }

    @Override
    public PlaceRuns runs(Dialect dialect) {
        return new LaneRuns(dialect);
    }

    @Override
    public PlaceProgress progress(Dialect dialect) {
        return new LaneProgress(dialect);
    }

    @Override
    public PlaceCommands commands(Dialect dialect) {
        return new LaneJobCommands(dialect);
    }

    @Override
    public List<PlacePart> parts(Database database) throws SQLException {
        return LanePart.all(database);
    }

    @Override
    public PlacePruner pruner(Database database) {
        return new LanePruner(database);
    }

    @Override
    public List<Finding> findings(Database database) throws SQLException {
        List<Finding> findings = new ArrayList<>(LaneFindings.of(database));
        findings.addAll(NodeFindings.of(database));
        return findings;
    }

    @Override
    public void strategySet(Connection connection, Dialect dialect, String queue, Strategy strategy)
            throws SQLException {
        LaneAdmin lanes = new LaneAdmin(dialect);
        if (strategy instanceof Strategy.Lanes || strategy instanceof Strategy.Auto) {
            lanes.open(connection, queue);
        } else {
            lanes.close(connection, queue);
        }
    }
}
