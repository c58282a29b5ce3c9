package dev.pawl.internal.database.postgres;

import dev.pawl.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.retention.HistoryUpkeep;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates coming days and drops past ones, if the history is kept by day. A role that may not do so leaves the days to
 * others, and its pruning deletes rows.
 */
final class PostgresHistory implements HistoryUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresHistory.class);

    private final Dialect dialect;
    private final AtomicBoolean said = new AtomicBoolean();

    PostgresHistory(Dialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public void maintain(Database database, Retention retention) throws SQLException {
        database.transaction(connection -> {
            HistoryPartitions partitions = new HistoryPartitions(connection, dialect);
            if (!partitions.exist()) {
                return false;
            }
            String missing = partitions.missingRights();
            if (missing != null) {
                if (said.compareAndSet(false, true)) {
                    LOG.warn("{}", missing);
                }
                return false;
            }
            if (partitions.lock()) {
                partitions.createNextDays();
                partitions.dropOldDays(retention);
            }
            return true;
        });
    }
}
