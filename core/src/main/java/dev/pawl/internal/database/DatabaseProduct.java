package dev.pawl.internal.database;

import dev.pawl.api.Retention;
import dev.pawl.internal.admin.TableCare;
import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.claim.LockingClaimById;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.retention.HistoryUpkeep;
import dev.pawl.internal.schema.SchemaRules;
import dev.pawl.internal.wake.WakeHub;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * All that a product does its own way; one implementation for each. Determined once for each queue; nothing else asks
 * which product it is. Thread-safe.
 */
public interface DatabaseProduct {
    /** {@return the expressions in which its statements differ, and its name and version} */
    Dialect dialect();

    /**
     * {@return its own statements of the main path}
     *
     * @param database the pool
     * @param retention which finished jobs are kept at all
     */
    DatabaseParts parts(Database database, Retention retention);

    /** {@return its way to claim certain jobs} */
    default ClaimById claimById() {
        return new LockingClaimById(dialect());
    }

    /**
     * {@return what carries the news of jobs between processes}
     *
     * @param dataSource the caller's pool
     * @param inTransactions whether transactions of the caller carry it as well; null for what suits the server
     */
    WakeHub.Messenger messenger(DataSource dataSource, @Nullable Boolean inTransactions);

    /** {@return how its schema is changed} */
    SchemaRules schema();

    /** {@return how its history is kept in order} */
    HistoryUpkeep history();

    /** {@return how its tables are examined and rebuilt} */
    TableCare tables();
}
