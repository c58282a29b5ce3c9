package example;

import dev.pawl.api.FrameworkTransactions;
import dev.pawl.api.JobRun;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Quarkus' transactions: enqueues join them, and run.transaction is one of them. */
@ApplicationScoped
public class JtaTransactions implements FrameworkTransactions {
    private final DataSource dataSource;
    private final TransactionSynchronizationRegistry transactions;

    JtaTransactions(DataSource dataSource, TransactionSynchronizationRegistry transactions) {
        this.dataSource = dataSource;
        this.transactions = transactions;
    }

    @Override
    public Connection surrounding() throws SQLException {
        return QuarkusTransaction.isActive() ? dataSource.getConnection() : null;
    }

    @Override
    public void afterCommit(String queue, Runnable wake) {
        transactions.registerInterposedSynchronization(new Synchronization() {
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
    public void run(JobRun.TransactionWork work) {
        QuarkusTransaction.requiringNew().run(() -> {
            try (Connection connection = dataSource.getConnection()) {
                work.run(connection);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
