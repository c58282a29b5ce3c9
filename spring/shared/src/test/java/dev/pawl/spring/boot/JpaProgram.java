package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.spring.JobHandler;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Entities, a repository, and jobs about them. */
@Configuration
@EnableAutoConfiguration
@EnableJpaRepositories(considerNestedRepositories = true)
@Import({JpaProgram.Shop.class, JpaProgram.Handlers.class})
class JpaProgram {
    static final JobType<Long> CONFIRM = JobType.of("purchase.confirm", Long.class);
    static final JobType<Long> SHIP = JobType.of("purchase.ship", Long.class);

    /** Called by entities while they are flushed. Static, because Hibernate creates the entities, so no bean can be injected into them. */
    static final AtomicReference<Runnable> AT_FLUSH = new AtomicReference<>(() -> {});

    /** The entity. */
    @Entity(name = "purchase")
    static class Purchase {
        @Id
        private long id;

        @SuppressWarnings("UnusedVariable") // read by SQL
        private boolean confirmed;

        private int ships;

        protected Purchase() {}

        Purchase(long id) {
            this.id = id;
        }

        @PreUpdate
        void written() {
            Objects.requireNonNull(AT_FLUSH.get()).run();
        }

        long id() {
            return id;
        }
    }

    interface Purchases extends JpaRepository<Purchase, Long> {}

    static class Shop {
        private final Purchases purchases;
        private final JobQueue queue;

        Shop(Purchases purchases, JobQueue queue) {
            this.purchases = purchases;
            this.queue = queue;
        }

        /** Sets a value that the table's constraint refuses. Hibernate writes it at the commit. */
        @Transactional
        public void spoil(long id) {
            purchases.findById(id).orElseThrow().ships = -1;
        }

        @Transactional
        public void buy(long id, boolean paid) {
            Purchase purchase = purchases.save(new Purchase(id));
            queue.enqueue(CONFIRM, purchase.id());
            if (!paid) {
                throw new IllegalStateException("not paid");
            }
        }
    }

    static class Handlers {
        private final EntityManager entities;
        private final Purchases purchases;
        private final JdbcTemplate jdbc;
        private final JobQueue queue;

        Handlers(EntityManager entities, Purchases purchases, JdbcTemplate jdbc, JobQueue queue) {
            this.entities = entities;
            this.purchases = purchases;
            this.jdbc = jdbc;
            this.queue = queue;
        }

        /** Changes an entity, writes with SQL and enqueues a job: all of it commits with this job's completion. */
        @JobHandler(value = "purchase.confirm", transactional = true)
        void confirm(long id, JobRun run) {
            purchases.findById(id).orElseThrow().confirmed = true;
            jdbc.update("INSERT INTO work VALUES (?)", id);
            queue.enqueue(SHIP, id);
            entities.flush();
            if (run.attempt() == 1) {
                throw new IllegalStateException("once, after everything was written");
            }
        }

        /** Hibernate writes the change at the commit. In the first attempt, the table's constraint refuses it. */
        @JobHandler(value = "purchase.ship", transactional = true)
        void ship(long id, JobRun run) {
            Purchase purchase = purchases.findById(id).orElseThrow();
            purchase.ships = run.attempt() == 1 ? -1 : purchase.ships + 1;
        }
    }
}
