package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.OtherTransactions;
import dev.pawl.spring.SpringTransactions;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring transactions from the queue's perspective. */
class TransactionsTest {
    private interface Steps {
        void take(DataSource pool, SpringTransactions transactions, TransactionTemplate template) throws Exception;
    }

    private static void with(Steps steps) throws Exception {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                var pool = database.newDataSource(3)) {
            DataSourceTransactionManager manager = new DataSourceTransactionManager(pool);
            steps.take(
                    pool,
                    new SpringTransactions(
                            new TransactionAwareDataSourceProxy(pool), () -> manager, OtherTransactions.REFUSE),
                    new TransactionTemplate(manager));
        }
    }

    @Test
    void workersAreNotifiedOncePerQueueAndOnlyByACommit() throws Exception {
        with((pool, transactions, template) -> {
            List<String> woken = new ArrayList<>();
            TransactionTemplate inner = new TransactionTemplate(transactions.manager());
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            template.executeWithoutResult(status -> {
                transactions.afterCommit("a", () -> woken.add("a"));
                transactions.afterCommit("a", () -> woken.add("a"));
                inner.executeWithoutResult(own -> transactions.afterCommit("b", () -> woken.add("b")));
                assertThat(woken).containsExactly("b");
                transactions.afterCommit("c", () -> woken.add("c"));
            });
            assertThat(woken).containsExactly("b", "a", "c");
            template.executeWithoutResult(status -> {
                transactions.afterCommit("a", () -> woken.add("lost"));
                status.setRollbackOnly();
            });
            assertThat(woken).doesNotContain("lost");
        });
    }

    @Test
    void aManagerOfAnotherDatabaseIsNamed() throws Exception {
        with((pool, transactions, template) -> {
            try (TestDatabase other = TestServers.sqlite().createDatabase();
                    var elsewhere = other.newDataSource(2)) {
                SpringTransactions mixed = new SpringTransactions(
                        pool, () -> new DataSourceTransactionManager(elsewhere), OtherTransactions.REFUSE);
                assertThatThrownBy(() -> mixed.run(connection -> {}))
                        .isInstanceOf(IllegalTransactionStateException.class)
                        .hasMessageContaining("does not work on the DataSource of the job queue");
            }
        });
    }

    @Test
    void checkedExceptionsPassAndRollBack() throws Exception {
        with((pool, transactions, template) -> {
            JdbcTemplate table = new JdbcTemplate(pool);
            table.execute("CREATE TABLE work (n int)");
            assertThatThrownBy(() -> transactions.run(connection -> {
                        table.update("INSERT INTO work VALUES (1)");
                        throw new java.io.IOException("as it was thrown");
                    }))
                    .isInstanceOf(java.io.IOException.class);
            transactions.run(connection -> table.update("INSERT INTO work VALUES (2)"));
            assertThat(table.queryForList("SELECT n FROM work", Integer.class)).containsExactly(2);
        });
    }

    /** Kotlin and proxies throw checked exceptions undeclared. */
    @Test
    void failuresAfterTheCommitAreLoggedEvenIfChecked() throws Exception {
        with((pool, transactions, template) -> {
            for (Exception late : List.of(new java.io.IOException("late"), new InterruptedException("late"))) {
                transactions.run(connection -> TransactionSynchronizationManager.registerSynchronization(
                        new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                TransactionsTest.<RuntimeException>undeclared(late);
                            }
                        }));
                assertThat(Thread.interrupted()).isEqualTo(late instanceof InterruptedException);
            }
        });
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> void undeclared(Exception checked) throws E {
        throw (E) checked;
    }
}
