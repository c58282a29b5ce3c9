package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.api.Job;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Enqueues after the end of a transaction that Spring still exposes. If the enqueue joined this transaction, the job would never be
 * committed.
 */
class AfterCommitTest {
    static final JobType<String> GREET = JobType.of("greet", String.class);

    record Placed(boolean fails) {}

    /** A service like those of an application. Each call joins the current transaction or has a transaction of its own. */
    static class Service {
        private final JobQueue queue;

        Service(JobQueue queue) {
            this.queue = queue;
        }

        @Transactional
        public void joining(String what) {
            queue.enqueue(GREET, what);
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void alone(String what, boolean fails) {
            queue.enqueue(GREET, what);
            if (fails) {
                throw new IllegalStateException("rolled back");
            }
        }
    }

    static class Listeners {
        private final JobQueue queue;
        private final Service service;

        Listeners(JobQueue queue, Service service) {
            this.queue = queue;
            this.service = service;
        }

        @TransactionalEventListener
        void committed(Placed placed) {
            queue.enqueue(GREET, "listener");
            service.joining("listener's service");
            service.alone("listener's own", false);
            assertThatThrownBy(() -> service.alone("never", true)).hasMessage("rolled back");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        void rolledBack(Placed placed) {
            queue.enqueue(GREET, "rollback");
            service.alone("rollback's own", false);
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void before(Placed placed) {
            queue.enqueue(GREET, "before");
            if (placed.fails()) {
                throw new IllegalStateException("not placed");
            }
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({Service.class, Listeners.class})
    static class Program {}

    private static List<String> payloads(App app) {
        return app.jobs().stream().map(Job::payload).map(text -> text.replace("\"", "")).toList();
    }

    private static void nothingIsLost(TestServer server, String... properties) {
        String[] all = java.util.stream.Stream.concat(
                        java.util.stream.Stream.of("spring.jpa.open-in-view=false"), java.util.Arrays.stream(properties))
                .toArray(String[]::new);
        try (App app = App.start(server, Program.class, all)) {
            ApplicationEventPublisher events = app.context();
            TransactionTemplate transaction = app.transaction();
            transaction.executeWithoutResult(status -> events.publishEvent(new Placed(false)));
            assertThat(payloads(app))
                    .containsExactlyInAnyOrder("before", "listener", "listener's service", "listener's own");
            assertThatThrownBy(() ->
                            transaction.executeWithoutResult(status -> events.publishEvent(new Placed(true))))
                    .hasMessage("not placed");
            assertThat(payloads(app)).hasSize(6).contains("rollback", "rollback's own");
            transaction.executeWithoutResult(status -> after(app));
            assertThat(payloads(app)).hasSize(9).contains("commit", "commit's service", "commit's own");
        }
    }

    /** Enqueues in {@code afterCommit}, which Spring calls before it calls the listeners. */
    private static void after(App app) {
        Service service = app.bean(Service.class);
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                app.queue().enqueue(GREET, "commit");
                service.joining("commit's service");
                service.alone("commit's own", false);
                assertThatThrownBy(() -> service.alone("never", true)).hasMessage("rolled back");
            }
        });
    }

    @Test
    void nothingIsLostOnSqlite() {
        nothingIsLost(TestServers.sqlite(), App.WITHOUT_JPA);
    }

    /** With a pool whose connections are not in auto-commit mode outside transactions. */
    @Test
    void nothingIsLostWithoutAutoCommit() {
        nothingIsLost(TestServers.sqlite(), App.WITHOUT_JPA, "spring.datasource.hikari.auto-commit=false");
    }

    @Test
    void nothingIsLostWithJpa() {
        nothingIsLost(
                TestServers.postgres(),
                "spring.datasource.hikari.auto-commit=false",
                "spring.jpa.properties.hibernate.connection.provider_disables_autocommit=true");
    }

    /** The end of a savepoint is not the end of its transaction. */
    @Test
    void anEnqueueAfterANestedTransactionIsRolledBackWithTheOuter() {
        try (App app = App.start(Program.class)) {
            TransactionTemplate nested = app.transaction();
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            for (boolean fails : new boolean[] {false, true}) {
                app.transaction().executeWithoutResult(outer -> {
                    nested.executeWithoutResult(inner -> {
                        if (fails) {
                            inner.setRollbackOnly();
                        }
                    });
                    app.queue().enqueue(GREET, "never");
                    outer.setRollbackOnly();
                });
                assertThat(app.jobs()).isEmpty();
            }
        }
    }
}
