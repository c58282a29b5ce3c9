package dev.pawl.conformance.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Tests the code of docs/start/spring-boot.md without Spring Boot. {@code examples/} covers it with Spring Boot. */
class SpringTest {
    /** The beans that Spring Boot provides. */
    @Configuration
    @EnableTransactionManagement
    static class Platform {
        static final ThreadLocal<Path> FOLDER = new ThreadLocal<>();

        @Bean
        DataSource dataSource() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:sqlite:" + FOLDER.get().resolve("shop.db") + "?busy_timeout=30000");
            return pool;
        }

        @Bean
        PlatformTransactionManager transactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("CREATE TABLE shop_order (customer text NOT NULL)");
            return jdbc;
        }
    }

    @Configuration
    static class JobConfiguration {
        @Bean
        JobQueue queue(DataSource dataSource) {
            return JobQueue.open(new TransactionAwareDataSourceProxy(dataSource));
        }
    }

    record Confirm(String customer) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

    @Service
    static class Orders {
        private final JdbcTemplate jdbc;
        private final JobQueue queue;

        Orders(JdbcTemplate jdbc, JobQueue queue) {
            this.jdbc = jdbc;
            this.queue = queue;
        }

        /** The order and its job commit together, or neither does. */
        @Transactional
        public void place(String customer, boolean paid) {
            jdbc.update("INSERT INTO shop_order (customer) VALUES (?)", customer);
            queue.enqueue(CONFIRM, new Confirm(customer));
            if (!paid) {
                throw new IllegalStateException(customer + " cannot pay");
            }
        }
    }

    @Service
    static class Confirmations {
        final List<String> sent = new CopyOnWriteArrayList<>();

        void send(Confirm confirm) {
            sent.add(confirm.customer());
        }
    }

    /** Starts when all beans exist; stops before any of them is closed. */
    @Component
    static class Jobs implements SmartLifecycle {
        private final JobQueue queue;
        private final Confirmations confirmations;
        private volatile @Nullable Worker worker;

        Jobs(JobQueue queue, Confirmations confirmations) {
            this.queue = queue;
            this.confirmations = confirmations;
        }

        @Override
        public void start() {
            worker = Worker.on(queue)
                    .handle(CONFIRM, (confirm, run) -> confirmations.send(confirm))
                    .grace(Duration.ofSeconds(20)) // shorter than the time until the process is killed
                    .start();
        }

        @Override
        public void stop() {
            Worker running = worker;
            if (running != null) {
                running.close();
                worker = null;
            }
        }

        @Override
        public boolean isRunning() {
            return worker != null;
        }

        /** Tells a health check whether the worker runs. */
        boolean isWell() {
            Worker running = worker;
            return running != null && running.isAlive();
        }
    }

    @Test
    void anOrderThatIsRolledBackLeavesNoJob(@TempDir Path folder) {
        Platform.FOLDER.set(folder);
        Jobs jobs;
        try (var context = new AnnotationConfigApplicationContext(
                Platform.class, JobConfiguration.class, Orders.class, Confirmations.class, Jobs.class)) {
            jobs = context.getBean(Jobs.class);
            assertThat(jobs.isWell()).isTrue();
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.place("Charles", false)).hasMessageContaining("cannot pay");
            orders.place("Ada", true);
            List<String> sent = context.getBean(Confirmations.class).sent;
            await().atMost(Duration.ofSeconds(60)).until(() -> !sent.isEmpty());
            assertThat(sent).containsExactly("Ada");
            assertThat(context.getBean(JobQueue.class).admin().jobs().list(JobFilter.ALL))
                    .hasSize(1);
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList("SELECT customer FROM shop_order", String.class))
                    .containsExactly("Ada");
        } finally {
            Platform.FOLDER.remove();
        }
        assertThat(jobs.isWell()).isFalse();
    }
}
