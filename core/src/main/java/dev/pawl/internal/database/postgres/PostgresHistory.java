package dev.pawl.internal.database.postgres;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.place.PlacePruner.LinkedDeletion;
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
 * Creates the partitions of coming days, and detaches and drops those of expired days, if the history is partitioned by day. Each change has
 * a transaction of its own and a short lock timeout, because a change waits while a backup reads the history, and all completions wait for
 * the change. A role without the privileges leaves that to other programs, and prunes by deleting rows.
 */
final class PostgresHistory implements HistoryUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresHistory.class);

    /** Jobs of a detached day whose links are deleted together. */
    private static final int PAGE = 1_000;

    private final Dialect dialect;
    private final AtomicBoolean said = new AtomicBoolean();

    PostgresHistory(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Map<JobState, Instant> maintain(Database database, Retention retention, LinkedDeletion linked)
            throws SQLException {
        Changes changes = database.transaction(connection -> changes(connection, retention));
        boolean isChanged = apply(database, changes.statements());
        for (String day :
                database.autocommit(connection -> new HistoryPartitions(connection, dialect).detachedDays())) {
            drop(database, day, linked);
        }
        Map<JobState, Instant> kept = new EnumMap<>(JobState.class);
        changes.oldest()
                .forEach((state, day) -> kept.put(
                        state,
                        (isChanged ? day : day.minusDays(1))
                                .atStartOfDay(ZoneOffset.UTC)
                                .toInstant()));
        return kept;
    }

    /** {@return whether all changes were made; the others are tried again by the next call} */
    private boolean apply(Database database, List<String> changes) throws SQLException {
        for (String ddl : changes) {
            boolean isDone = unlessInUse(
                    ddl,
                    () -> database.transaction(1, connection -> {
                        HistoryPartitions partitions = new HistoryPartitions(connection, dialect);
                        if (!partitions.lock()) {
                            return false;
                        }
                        partitions.change(ddl);
                        return true;
                    }));
            if (!isDone) {
                return false;
            }
        }
        return true;
    }

    private boolean unlessInUse(String what, Retry.Attempt<Boolean> change) throws SQLException {
        try {
            return change.run();
        } catch (SQLException e) {
            if (Fault.of(e) == Fault.MISSING_TABLE) { // another program has just done the same
                return true;
            }
            if (!Fault.of(e).isContention()) {
                throw e;
            }
            LOG.info(
                    "{} is in use by long transactions; trying again in a minute: {}",
                    dialect.sql("pawl_job_history"),
                    what);
            return false;
        }
    }

    /** How far the jobs of a detached day have been read, and whether there are more. Confined to one thread. */
    private static final class Progress {
        private long last = Long.MIN_VALUE;
        private boolean goesOn = true;
    }

    /** Deletes what is linked to the jobs of a detached day, page by page, and then drops its table. */
    private void drop(Database database, String day, LinkedDeletion linked) throws SQLException {
        String ddl = "DROP TABLE " + day;
        Progress progress = new Progress();
        try {
            while (progress.goesOn && !Thread.currentThread().isInterrupted()) {
                progress.goesOn = false;
                if (!unlessInUse(
                        ddl,
                        () -> database.transaction(1, connection -> dropOn(connection, day, ddl, linked, progress)))) {
                    return;
                }
            }
        } catch (SQLException e) {
            if (Fault.of(e).isOutage()) {
                throw e;
            }
            LOG.warn("an expired day of the history cannot be dropped: {}", ddl, e);
        }
    }

    /** {@return whether a page was deleted or the table dropped; false while another program works on the history} */
    private boolean dropOn(Connection connection, String day, String ddl, LinkedDeletion linked, Progress progress)
            throws SQLException {
        HistoryPartitions partitions = new HistoryPartitions(connection, dialect);
        if (!partitions.lock()) {
            return false;
        }
        partitions.reserve(day);
        List<Long> page = partitions.jobs(day, progress.last, PAGE);
        if (page.isEmpty()) {
            partitions.change(ddl);
        } else {
            linked.delete(connection, page);
            progress.last = page.get(page.size() - 1);
            progress.goesOn = true;
        }
        return true;
    }

    /** Statements that change partitions, and the oldest day that they leave for each state. */
    private record Changes(List<String> statements, Map<JobState, LocalDate> oldest) {}

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
        return new Changes(statements, oldest);
    }
}
