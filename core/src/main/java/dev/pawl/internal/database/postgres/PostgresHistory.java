package dev.pawl.internal.database.postgres;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.retention.HistoryUpkeep;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the partitions of coming days and drops those of expired days, if the history is partitioned by day. Each change has a
 * transaction of its own and a short lock timeout, because a change waits while a backup reads the history, and all completions wait for
 * the change. A role without the privileges leaves that to other programs, and prunes by deleting rows.
 */
final class PostgresHistory implements HistoryUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresHistory.class);

    private final Dialect dialect;
    private final AtomicBoolean said = new AtomicBoolean();

    PostgresHistory(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Map<JobState, Instant> maintain(Database database, Retention retention) throws SQLException {
        Changes changes = database.transaction(connection -> changes(connection, retention));
        apply(database, changes.statements());
        return changes.oldest();
    }

    private void apply(Database database, List<String> changes) throws SQLException {
        for (String ddl : changes) {
            try {
                boolean isOurs = database.transaction(1, connection -> {
                    HistoryPartitions partitions = new HistoryPartitions(connection, dialect);
                    if (!partitions.lock()) {
                        return false;
                    }
                    partitions.change(ddl);
                    return true;
                });
                if (!isOurs) {
                    return;
                }
            } catch (SQLException e) {
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
                LOG.info(
                        "{} is in use by long transactions; trying again in a minute: {}",
                        dialect.sql("pawl_job_history"),
                        ddl);
                return;
            }
        }
    }

    /** Statements that change partitions, and the beginning of the oldest day that they leave for each state. */
    private record Changes(List<String> statements, Map<JobState, Instant> oldest) {}

    private Changes changes(Connection connection, Retention retention) throws SQLException {
        HistoryPartitions partitions = new HistoryPartitions(connection, dialect);
        if (!partitions.exist()) {
            return new Changes(List.of(), Map.of());
        }
        String missing = partitions.missingRights();
        if (missing != null) {
            if (said.compareAndSet(false, true)) {
                LOG.warn("{}", missing);
            }
            return new Changes(List.of(), Map.of());
        }
        Map<JobState, LocalDate> oldest = partitions.oldestDays(retention);
        List<String> statements = new ArrayList<>(partitions.missingDays());
        statements.addAll(partitions.oldDays(oldest));
        Map<JobState, Instant> kept = new EnumMap<>(JobState.class);
        oldest.forEach(
                (state, day) -> kept.put(state, day.atStartOfDay(ZoneOffset.UTC).toInstant()));
        return new Changes(statements, kept);
    }
}
