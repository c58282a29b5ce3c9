package dev.pawl.micronaut;

import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.exceptions.TransactionSystemException;
import io.micronaut.transaction.exceptions.UnexpectedRollbackException;
import io.micronaut.transaction.support.TransactionSynchronization;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Micronaut's transactions on a datasource: enqueues join them, and run.transaction is one of them. Thread-safe. */
final class MicronautTransactions implements FrameworkTransactions {
    private final TransactionOperations<Connection> transactions;

    MicronautTransactions(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    private Optional<? extends TransactionStatus<?>> current() {
        return transactions
                .findTransactionStatus()
                .filter(transaction -> !transaction.isCompleted() && isInTransaction(transaction));
    }

    /** {@return whether there is a transaction; a method that only supports one has a status even without one} */
    private static boolean isInTransaction(TransactionStatus<?> status) {
        try {
            return !connection(status).getAutoCommit();
        } catch (SQLException e) {
            throw new TransactionSystemException("the connection of the transaction does not respond", e);
        }
    }

    private static Connection connection(TransactionStatus<?> status) {
        return (Connection) status.getConnection();
    }

    @Override
    public @Nullable Connection surrounding() {
        return current().map(transaction -> unclosed(connection(transaction))).orElse(null);
    }

    /** {@return the connection with a close that does nothing: Pawl closes it, but it belongs to the transaction} */
    private static Connection unclosed(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public void afterCommit(String queue, Runnable wake) {
        current()
                .ifPresent(transaction -> transaction.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        wake.run();
                    }
                }));
    }

    @Override
    public void requireNone() {
        if (current().isPresent()) {
            throw new IllegalStateException(
                    "run.transaction, or a step of the job, was called within another transaction, which would not commit"
                            + " with it: remove @Transactional from the handler, or give it @JobHandler(transactional = true)"
                            + " and call neither");
        }
    }

    @Override
    public void run(JobRun.TransactionWork work) throws Exception {
        requireNone();
        transactions.execute(TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW), transaction -> {
            work.run(transaction.getConnection());
            if (transaction.isRollbackOnly()) { // Micronaut would roll back without an exception
                throw new UnexpectedRollbackException("the transaction of the run was marked for rollback, by"
                        + " setRollbackOnly or by an exception that passed through @Transactional and was caught: nothing is"
                        + " written, and the job is not completed");
            }
            return null;
        });
    }
}
