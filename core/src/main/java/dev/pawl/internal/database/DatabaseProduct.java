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
 * A database product: everything in which products differ. Determined once for each queue, so that other code need not distinguish
 * products. Thread-safe.
 */
public interface DatabaseProduct {
    /** {@return the product's SQL expressions, name and version} */
    Dialect dialect();

    /**
     * {@return the product's statements of the main path}
     *
     * @param database the pool
     * @param retention which finished jobs are kept
     */
    DatabaseParts parts(Database database, Retention retention);

    /** {@return the claim of jobs by their ids} */
    default ClaimById claimById() {
        return new LockingClaimById(dialect());
    }

    /**
     * {@return the notifications between processes about new jobs}
     *
     * @param dataSource the caller's pool
     * @param inTransactions whether transactions of the caller notify, too; null for the server's default
     */
    WakeHub.Messenger messenger(DataSource dataSource, @Nullable Boolean inTransactions);

    /** {@return the rules for schema changes} */
    SchemaRules schema();

    /** {@return the maintenance of the history} */
    HistoryUpkeep history();

    /** {@return the checks and the rebuilding of its tables} */
    TableCare tables();
}
