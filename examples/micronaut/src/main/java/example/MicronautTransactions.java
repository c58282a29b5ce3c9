package example;

import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.support.TransactionSynchronization;
import jakarta.inject.Singleton;
import java.sql.Connection;

/** Micronaut's transactions: enqueues join them, and run.transaction is one of them. */
@Singleton
class MicronautTransactions implements FrameworkTransactions {
    private final TransactionOperations<Connection> transactions;

    MicronautTransactions(TransactionOperations<Connection> transactions) {
        this.transactions = transactions;
    }

    @Override
    public Connection surrounding() {
        return transactions
                .findTransactionStatus()
                .map(transaction -> Unclosed.of((Connection) transaction.getConnection()))
                .orElse(null);
    }

    @Override
    public void afterCommit(String queue, Runnable wake) {
        transactions.findTransactionStatus().orElseThrow().registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                wake.run();
            }
        });
    }

    @Override
    public void run(JobRun.TransactionWork work) throws Exception {
        transactions.execute(
                TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW), transaction -> {
                    work.run(transaction.getConnection());
                    return null;
                });
    }
}
