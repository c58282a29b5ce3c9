package dev.pawl.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.limit.Limit;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.JobHandlers;
import dev.pawl.spring.OtherTransactions;
import dev.pawl.spring.PawlDataSource;
import dev.pawl.spring.SpringTransactions;
import dev.pawl.spring.TransactionEnds;
import dev.pawl.spring.WorkerCustomizer;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** The code of docs/start/spring-boot.md that is not in examples/. The test runs it without Spring Boot. */
class SpringPageTest {
    record Confirm(String customer) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

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

    static class Confirmations {
        private final JdbcTemplate jdbc;
        final BlockingQueue<String> confirmed = new LinkedBlockingQueue<>();

        Confirmations(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @JobHandler(value = "order.confirm", transactional = true)
        void confirm(Confirm confirm, JobRun run) {
            jdbc.update("UPDATE shop_order SET confirmed = 1 WHERE customer = ?", confirm.customer());
            confirmed.add(confirm.customer());
        }
    }

    @JobHandler("parcel.send")
    static class SendParcel implements dev.pawl.api.JobHandler<Confirm> {
        @Override
        public void handle(Confirm confirm, JobRun run) {
            run.log("sent to " + confirm.customer());
        }
    }

    record Parcel(String number) {}

    static class Carrier {
        final BlockingQueue<List<Parcel>> calls = new LinkedBlockingQueue<>();

        void track(List<Parcel> parcels) {
            calls.add(parcels);
        }
    }

    @SuppressWarnings("serial")
    static class Overloaded extends RuntimeException {
        Duration retryAfter() {
            return Duration.ofMinutes(5);
        }
    }

    @Configuration
    static class Tracking {
        static final JobType<Parcel> TRACK = JobType.of("parcel.track", Parcel.class)
                .withDefaults(EnqueueOptions.DEFAULTS.queue("parcels").maxAttempts(5));

        private final Carrier carrier = new Carrier();

        @JobHandler(value = "parcel.track", queue = "parcels", attempts = 5, retryPolicy = "carrierPolicy", chunk = 100)
        void track(List<Parcel> parcels) {
            carrier.track(parcels);
        }

        /** A carrier that is overloaded says when to come back. */
        @Bean
        RetryPolicy carrierPolicy() {
            return RetryPolicy.forFailure(failure -> failure.cause() instanceof Overloaded overloaded
                    ? overloaded.retryAfter()
                    : RetryPolicy.DEFAULT.backoff(failure));
        }

        @Bean
        Carrier carrier() {
            return carrier;
        }
    }

    @Configuration
    static class More {
        @Bean
        Schedule<Confirm> weekly() {
            return Schedule.of("weekly", CONFIRM, new Confirm("all of them"), Recurrence.cron("0 8 * * MON"));
        }

        @Bean
        WorkerCustomizer worker() {
            return worker -> worker.name("shop").pollInterval(Duration.ofSeconds(5));
        }

        @Bean
        SmartInitializingSingleton limits(JobQueue queue) {
            return () -> queue.limits().set(Limit.keysOf("mail").atOnce(5));
        }
    }

    record Mail(String to) {}

    @SuppressWarnings("serial")
    static class UnknownRecipient extends Exception {}

    interface Mailer {
        void send(Mail mail) throws UnknownRecipient;
    }

    static class Mails {
        private final Mailer mailer = mail -> {
            throw new UnknownRecipient();
        };

        @JobHandler("mail.send")
        Outcome send(Mail mail) {
            try {
                mailer.send(mail);
                return Outcome.completed();
            } catch (UnknownRecipient e) {
                return Outcome.discard("unknown recipient");
            }
        }
    }

    @Configuration
    static class JobConfiguration {
        @Bean
        static TransactionEnds transactionEnds() {
            return new TransactionEnds();
        }

        @Bean
        SpringTransactions jobTransactions(DataSource dataSource, PlatformTransactionManager manager) {
            return new SpringTransactions(dataSource, () -> manager, OtherTransactions.REFUSE);
        }

        @Bean
        JobQueue jobQueue(SpringTransactions transactions) {
            return JobQueue.builder(transactions.dataSource())
                    .transactions(transactions)
                    .open();
        }

        @Bean
        JobHandlers jobHandlers(ConfigurableListableBeanFactory beans) {
            return new JobHandlers(beans);
        }

        @Bean
        WorkerLifecycle jobWorker(JobQueue queue, JobHandlers handlers, List<WorkerCustomizer> customizers) {
            return new WorkerLifecycle(queue, handlers, customizers, true);
        }
    }

    /** The beans that Spring Boot would provide. */
    @Configuration
    @EnableTransactionManagement
    static class Platform {
        @Bean
        PlatformTransactionManager transactions(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("CREATE TABLE shop_order (customer text NOT NULL, confirmed int NOT NULL DEFAULT 0)");
            return jdbc;
        }
    }

    @Test
    void anOrderAndItsJob() throws Exception {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                var context = new AnnotationConfigApplicationContext()) {
            context.registerBean(DataSource.class, () -> database.newDataSource(5));
            context.register(
                    Platform.class,
                    JobConfiguration.class,
                    More.class,
                    Tracking.class,
                    Orders.class,
                    Confirmations.class,
                    Mails.class,
                    SendParcel.class);
            context.refresh();
            Orders orders = context.getBean(Orders.class);
            assertThatThrownBy(() -> orders.place("Charles", false)).hasMessageContaining("cannot pay");
            orders.place("Ada", true);
            assertThat(context.getBean(Confirmations.class).confirmed.poll(60, TimeUnit.SECONDS))
                    .isEqualTo("Ada");
            assertThat(context.getBean(JobQueue.class).admin().jobs().list(JobFilter.ALL))
                    .hasSize(1);
            assertThat(context.getBean(JobQueue.class).limits().list()).hasSize(1);
            assertThat(new Mails().send(new Mail("nobody"))).isEqualTo(Outcome.discard("unknown recipient"));
            context.getBean(JobQueue.class).enqueue(Tracking.TRACK, new Parcel("1"));
            assertThat(context.getBean(Carrier.class).calls.poll(60, TimeUnit.SECONDS))
                    .containsExactly(new Parcel("1"));
            assertThat(context.getBean(RetryPolicy.class)
                            .backoff(new RetryPolicy.Failure("parcel.track", 1, new Overloaded())))
                    .isEqualTo(Duration.ofMinutes(5));
            assertThat(context.getBean(JobQueue.class).admin().workers().list())
                    .singleElement()
                    .satisfies(worker -> assertThat(worker.name()).isEqualTo("shop"));
        }
    }

    /** Compiled but not run, because EnqueueTest covers the choice between two pools. */
    @Configuration
    static class TwoPools {
        @Bean
        @PawlDataSource
        DataSource jobs(Pools pools) {
            return pools.open("jobs");
        }

        interface Pools {
            DataSource open(String name);
        }
    }
}
