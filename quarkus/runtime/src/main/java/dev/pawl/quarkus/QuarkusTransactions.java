package dev.pawl.quarkus;

import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.narayana.jta.QuarkusTransactionException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Quarkus' transactions: enqueues join them, and run.transaction is one of them. Thread-safe. */
final class QuarkusTransactions implements FrameworkTransactions {
    /** In seconds. Pawl enforces the timeout of a handler; zero would mean Quarkus' default, a minute. */
    private static final int NO_TIMEOUT = Integer.MAX_VALUE;

    private final DataSource dataSource;
    private final TransactionSynchronizationRegistry registry;

    QuarkusTransactions(DataSource dataSource, TransactionSynchronizationRegistry registry) {
        this.dataSource = dataSource;
        this.registry = registry;
    }

    /**
     * {@return the connection of the open transaction; null if there is none, or in a callback after its end, so that an enqueue commits by
     * itself}
     */
    @Override
    public @Nullable Connection surrounding() throws SQLException {
        return isOpen() ? dataSource.getConnection() : null;
    }

    private boolean isOpen() {
        int status = registry.getTransactionStatus();
        return status == Status.STATUS_ACTIVE
                || status == Status.STATUS_MARKED_ROLLBACK
                || status == Status.STATUS_PREPARING;
    }

    @Override
    public void afterCommit(String queue, Runnable wake) {
        registry.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {}

            @Override
            public void afterCompletion(int status) {
                if (status == Status.STATUS_COMMITTED) {
                    wake.run();
                }
            }
        });
    }

    @Override
    public void requireNone() {
        if (isOpen()) {
            throw new IllegalStateException(
                    "run.transaction, or a step of the job, was called within another transaction, which would not commit"
                            + " with it: remove @Transactional from the handler, or give it @JobHandler(transactional = true)"
                            + " and call neither");
        }
    }

    @Override
    public void run(JobRun.TransactionWork work) throws Exception {
        requireNone();
        try {
            QuarkusTransaction.requiringNew().timeout(NO_TIMEOUT).call(() -> {
                try (Connection connection = dataSource.getConnection()) {
                    work.run(connection);
                }
                return true;
            });
        } catch (QuarkusTransactionException e) { // wraps checked exceptions
            if (e.getCause() instanceof Exception thrown) {
                throw thrown;
            }
            throw e;
        }
    }
}
