package dev.pawl.spring;

import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * Spring's transactions on the {@code DataSource} of a queue: enqueues join them, and the transaction of a run is one
 * of them, so {@code JdbcTemplate}, JPA and other participants commit together with the completion of the job.
 * Thread-safe.
 *
 * <p>For JPA the transaction manager must expose its JDBC connection under the same {@code DataSource}, as
 * {@code JpaTransactionManager} does with Hibernate.
 */
public final class SpringTransactions implements FrameworkTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(SpringTransactions.class);

    private final DataSource pool;
    private final TransactionAwareDataSourceProxy joining;
    private final Supplier<PlatformTransactionManager> manager;
    private final OtherTransactions others;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param dataSource of the queue
     * @param manager of transactions on it; resolved when the first run needs it
     * @param others how to treat enqueues in transactions that are not on it
     */
    public SpringTransactions(
            DataSource dataSource, Supplier<PlatformTransactionManager> manager, OtherTransactions others) {
        this.pool = QueueDataSource.pool(dataSource);
        this.joining = new TransactionAwareDataSourceProxy(pool);
        this.manager = SingletonSupplier.of(manager);
        this.others = Objects.requireNonNull(others);
    }

    @Override
    public @Nullable Connection surrounding() throws SQLException {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return null;
        }
        if (BoundConnection.isOver(pool)) {
            return null; // the enqueue can no longer join, so it gets its own transaction
        }
        if (BoundConnection.isInTransaction(pool)) {
            Connection connection = joining.getConnection();
            boolean joined = false;
            try {
                joined = !connection.getAutoCommit(); // otherwise the bound connection is not in a transaction
            } finally {
                if (!joined) {
                    connection.close();
                }
            }
            if (joined) {
                return connection;
            }
        }
        complain();
        return null;
    }

    private void complain() {
        String what = "a job is enqueued within a transaction"
                + (TransactionSynchronizationManager.getCurrentTransactionName() == null
                        ? ""
                        : " (" + TransactionSynchronizationManager.getCurrentTransactionName() + ")")
                + " that is not on the DataSource of the job queue, so they cannot commit together: ";
        if (others == OtherTransactions.REFUSE) {
            throw new IllegalTransactionStateException(what
                    + "enqueue in a transaction of the queue's DataSource (name its transaction manager), or before or"
                    + " after this one, or let such jobs commit by themselves with pawl.other-transactions=allow");
        }
        if (others == OtherTransactions.WARN && !warned.getAndSet(true)) {
            LOG.warn("{}it commits by itself, even if that transaction is rolled back", what);
        }
    }

    @Override
    public void afterCommit(String queue, Runnable wake) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            NotifyAfterCommit.of(this).add(queue, wake);
        }
    }

    /** {@return the DataSource of the queue, behind any proxy that joins transactions} */
    public DataSource dataSource() {
        return pool;
    }

    /** {@return the manager of the transactions that complete jobs} */
    public PlatformTransactionManager manager() {
        return Objects.requireNonNull(manager.get());
    }

    /**
     * Verifies that the manager's transactions are on the queue's {@code DataSource}: opens one and rolls it back.
     *
     * @throws IllegalTransactionStateException if they are not
     */
    public void check() {
        new RunTransaction(manager(), pool).check();
    }

    @Override
    public void requireNone() {
        if (BoundConnection.isInTransaction(pool)) {
            throw new IllegalTransactionStateException(
                    "run.transaction, or a step of the job, was called within another transaction on the DataSource of the job"
                            + " queue, which would not commit with it: remove @Transactional from the handler, or give it"
                            + " @JobHandler(transactional = true) and call neither");
        }
    }

    @Override
    public void run(JobRun.TransactionWork work) throws Exception {
        requireNone();
        new RunTransaction(manager(), pool).run(work);
    }
}
