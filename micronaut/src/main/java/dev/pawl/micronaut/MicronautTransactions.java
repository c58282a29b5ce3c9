package dev.pawl.micronaut;

import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.support.TransactionSynchronization;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Micronaut's transactions on a datasource: enqueues join them, and run.transaction is one of them. Thread-safe. */
final class MicronautTransactions implements FrameworkTransactions {
    private final TransactionOperations<Connection> transactions;

    MicronautTransactions(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    private Optional<? extends TransactionStatus<?>> current() {
        return transactions.findTransactionStatus().filter(transaction -> !transaction.isCompleted());
    }

    @Override
    public @Nullable Connection surrounding() {
        return current()
                .map(transaction -> unclosed((Connection) transaction.getConnection()))
                .orElse(null);
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
            return null;
        });
    }
}
