package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.admin.Admin;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Strategy;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.SpringTransactions;
import dev.pawl.spring.WorkerCustomizer;
import jakarta.transaction.UserTransaction;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A handler's writes commit with the completion of its job, or not at all. */
class TransactionalHandlerTest {
    static final JobType<String> WRITE = JobType.of("write", String.class);
    static final JobType<String> INSIDE = JobType.of("inside", String.class);
    static final JobType<String> NESTED = JobType.of("nested", String.class);
    static final JobType<String> STEPS = JobType.of("steps", String.class);

    static final AtomicInteger WORK_DONE = new AtomicInteger();

    static class Notes {
        private final JdbcTemplate jdbc;

        Notes(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        public void note(boolean fails) {
            jdbc.update("INSERT INTO work VALUES (2)");
            if (fails) {
                throw new IllegalArgumentException("no note");
            }
        }
    }

    static class Writers {
        private final JdbcTemplate jdbc;
        private final Notes notes;

        Writers(JdbcTemplate jdbc, Notes notes) {
            this.jdbc = jdbc;
            this.notes = notes;
        }

        @JobHandler(value = "write", transactional = true)
        Outcome write(String how, JobRun run) throws Exception {
            jdbc.update("INSERT INTO work VALUES (1)");
            if (how.equals("joins")) {
                notes.note(false);
            }
            if (run.attempt() > 1) {
                return Outcome.completed();
            }
            switch (how) {
                case "throws" -> throw new java.io.IOException("once");
                case "marks" ->
                    TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
                case "inner" -> {
                    try {
                        notes.note(true);
                    } catch (IllegalArgumentException caught) {
                        run.log("but the transaction cannot commit any more");
                    }
                }
                case "cancels" -> {
                    return Outcome.cancel("not wanted");
                }
                case "late" ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            throw new IllegalStateException("after the commit");
                        }
                    });
                default -> run.progress(100);
            }
            return Outcome.completed();
        }

        /** The transaction that a handler opens with {@code run.transaction} is a Spring transaction too. */
        @JobHandler("inside")
        void inside(String how, JobRun run) throws Exception {
            run.transaction(connection -> {
                notes.note(false);
                if (how.equals("throws") && run.attempt() == 1) {
                    throw new IllegalStateException("once");
                }
            });
        }

        @Transactional
        @JobHandler("steps")
        public void steps(String how, JobRun run) throws Exception {
            if (how.equals("waits")) {
                run.steps().sleep("until later", Duration.ofDays(1));
            } else {
                run.step("note", () -> WORK_DONE.incrementAndGet());
            }
        }

        @Transactional
        @JobHandler("nested")
        public void nested(JobRun run) throws Exception {
            run.transaction(connection -> notes.note(false));
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({Writers.class, Notes.class})
    static class Program {}

    private static App start() {
        return App.start(Program.class, "pawl.worker.retry.first=10ms");
    }

    private static void run(JobType<String> type, String how, int rows) {
        try (App app = start()) {
            app.queue().enqueue(type, how);
            app.awaitJobs(JobState.COMPLETED, 1);
            assertThat(app.rows()).isEqualTo(rows);
        }
    }

    @Test
    void writesCommitWithTheCompletion() {
        run(WRITE, "plain", 1);
        run(WRITE, "joins", 2);
        run(INSIDE, "plain", 1);
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({Writers.class, Notes.class})
    static class AllInTheClaim {
        @Bean
        WorkerCustomizer transactional() {
            return worker -> worker.strategy(Strategy.TRANSACTIONAL);
        }
    }

    /** The transaction of the claim is a Spring transaction too, regardless of the handler's declaration. */
    @Test
    void claimTransactionsAreSpringTransactions() {
        try (App app = App.start(AllInTheClaim.class, "pawl.worker.retry.first=10ms")) {
            app.queue().enqueue(WRITE, "throws");
            app.queue().enqueue(WRITE, "joins");
            app.queue().enqueue(INSIDE, "throws");
            app.awaitJobs(JobState.COMPLETED, 3);
            assertThat(app.rows()).isEqualTo(4);
        }
    }

    @Test
    void failuresRollBackAndTheJobIsRetried() {
        run(WRITE, "throws", 1);
        run(INSIDE, "throws", 1);
    }

    @Test
    void transactionsMarkedForRollbackCompleteNothing() {
        run(WRITE, "marks", 1);
        run(WRITE, "inner", 1);
    }

    @Test
    void failuresAfterTheCommitDoNotRepeatTheJob() {
        run(WRITE, "late", 1);
    }

    @Test
    void anOutcomeOtherThanCompletedRollsBack() {
        try (App app = start()) {
            app.queue().enqueue(WRITE, "cancels");
            app.awaitJobs(JobState.CANCELLED, 1);
            assertThat(app.rows()).isZero();
        }
    }

    @Test
    void aTransactionAroundTheRunsOwnIsRefused() {
        try (App app = start()) {
            app.queue().enqueue(NESTED, "x");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> app.jobs().stream()
                            .anyMatch(job -> !app.queue()
                                    .admin()
                                    .runs()
                                    .failedAttempts(job.id(), Admin.UNLIMITED)
                                    .isEmpty()));
            long id = app.jobs().get(0).id();
            assertThat(app.queue()
                            .admin()
                            .runs()
                            .failedAttempts(id, Admin.UNLIMITED)
                            .get(0)
                            .error())
                    .contains("within another transaction on the DataSource of the job queue");
            assertThat(app.rows()).isZero();
        }
    }

    /** Otherwise each attempt would repeat the work of the step and be refused only afterwards. */
    @Test
    void stepsInATransactionAreRefusedBeforeTheirWork() {
        try (App app = start()) {
            int before = WORK_DONE.get();
            for (String how : List.of("does", "waits")) {
                long id = app.queue().enqueue(STEPS, how).jobId();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> !app.queue()
                                .admin()
                                .runs()
                                .failedAttempts(id, Admin.UNLIMITED)
                                .isEmpty());
                assertThat(app.queue()
                                .admin()
                                .runs()
                                .failedAttempts(id, Admin.UNLIMITED)
                                .get(0)
                                .error())
                        .contains("a step of the job, was called within another transaction");
            }
            assertThat(WORK_DONE).hasValue(before);
        }
    }

    /** A manager for another database than the queue's. */
    @Configuration
    @EnableAutoConfiguration
    @Import({Writers.class, Notes.class})
    static class Mismatch {
        @Bean
        PlatformTransactionManager elsewhere() {
            return new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:sqlite::memory:"));
        }
    }

    @Test
    void unsuitableManagersFailTheStart() {
        assertThatThrownBy(() -> App.start(Mismatch.class, "pawl.transaction-manager=elsewhere"))
                .hasStackTraceContaining("does not work on the DataSource of the job queue");
    }

    /** The application creates the queue itself. */
    @Configuration
    @EnableAutoConfiguration
    @Import({Writers.class, Notes.class})
    static class OwnQueue {
        @Bean
        JobQueue own(DataSource dataSource) {
            return JobQueue.open(dataSource);
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({Writers.class, Notes.class})
    static class OwnQueueWithTransactions {
        @Bean
        JobQueue own(SpringTransactions transactions) {
            return JobQueue.builder(transactions.dataSource())
                    .transactions(transactions)
                    .open();
        }
    }

    @Test
    void customQueuesNeedSpringsTransactionsOrFailTheStart() {
        assertThatThrownBy(() -> App.start(OwnQueue.class))
                .hasStackTraceContaining("needs a queue that knows Spring's transactions")
                .hasStackTraceContaining(".transactions(transactions)")
                .hasStackTraceContaining("Writers.write");
        try (App app = App.start(OwnQueueWithTransactions.class, "pawl.worker.retry.first=10ms")) {
            app.queue().enqueue(WRITE, "throws");
            app.awaitJobs(JobState.COMPLETED, 1);
            assertThat(app.rows()).isEqualTo(1);
        }
    }

    /** A JTA transaction manager. Its transactions may be on the queue's database, but Spring's JDBC support cannot see them. */
    @Configuration
    @EnableAutoConfiguration
    @Import({Writers.class, Notes.class})
    static class Jta {
        @Bean
        PlatformTransactionManager jta() {
            JtaTransactionManager manager = new JtaTransactionManager();
            manager.setAutodetectTransactionManager(false);
            manager.setUserTransaction((UserTransaction) Proxy.newProxyInstance(
                    Jta.class.getClassLoader(), new Class<?>[] {UserTransaction.class}, (self, method, arguments) -> {
                        throw new UnsupportedOperationException("no transaction is begun");
                    }));
            return manager;
        }
    }

    @Test
    void noSeparateTransactionIsOpenedBesideJta() {
        assertThatThrownBy(() -> App.start(Jta.class))
                .hasStackTraceContaining("the transaction manager 'jta' (" + JtaTransactionManager.class.getName())
                .hasStackTraceContaining("set pawl.transaction-manager to its name");
    }

    @Configuration
    @EnableAutoConfiguration
    static class Numbered {
        @Bean
        @JobHandler(value = "numbered", transactional = true)
        dev.pawl.api.JobHandler<String> numbered(JobQueue queue, JdbcTemplate jdbc) {
            SlotSeries numbers = queue.slots().series("numbers");
            return numbers.around((how, run) -> {
                jdbc.update(
                        "INSERT INTO work VALUES (?)", run.slot().orElseThrow().ordinal());
                if (how.equals("throws") && run.attempt() == 1) {
                    throw new IllegalStateException("once");
                }
            });
        }

        @Bean
        @JobHandler(value = "numbered.twice", transactional = true)
        dev.pawl.api.JobHandler.WithOutcome<String> twice(JobQueue queue, JdbcTemplate jdbc) {
            SlotSeries inner = queue.slots().series("inner");
            SlotSeries outer = queue.slots().series("outer");
            return outer.aroundWithOutcome(inner.aroundWithOutcome((how, run) -> {
                jdbc.update("INSERT INTO work VALUES (?)", run.slots().size());
                return Outcome.completed();
            }));
        }
    }

    @Test
    void aSlotIsUsedInTheSameTransaction() {
        try (App app = App.start(Numbered.class, "pawl.worker.retry.first=10ms")) {
            app.queue().enqueue(JobType.of("numbered", String.class), "throws");
            app.awaitJobs(JobState.COMPLETED, 1);
            assertThat(app.table().queryForList("SELECT n FROM work", Integer.class))
                    .containsExactly(1);
            app.queue().enqueue(JobType.of("numbered.twice", String.class), "both");
            app.awaitJobs(JobState.COMPLETED, 2);
            assertThat(app.table().queryForList("SELECT n FROM work", Integer.class))
                    .containsExactly(1, 2);
        }
    }
}
