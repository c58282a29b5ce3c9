package example;

import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@SpringBootApplication
public class Shop {
    record Confirm(String customer, long order) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

    @Bean
    JobQueue queue(DataSource dataSource) {
        return JobQueue.open(dataSource);
    }

    /** Started with the application; stopped with it, before the pool is closed. */
    @Bean
    Worker worker(JobQueue queue, Confirmations confirmations) {
        return Worker.on(queue)
                .handle(CONFIRM, (confirm, run) -> confirmations.send(confirm))
                .start();
    }

    @Service
    static class Orders {
        private final JdbcTemplate jdbc;
        private final JobQueue queue;

        Orders(JdbcTemplate jdbc, JobQueue queue) {
            this.jdbc = jdbc;
            this.queue = queue;
            jdbc.execute("CREATE TABLE IF NOT EXISTS shop_order (id integer PRIMARY KEY, customer text NOT NULL)");
        }

        /** The order and its job commit together, or neither does. */
        @Transactional
        void place(String customer, boolean rich) {
            jdbc.update("INSERT INTO shop_order (customer) VALUES (?)", customer);
            jdbc.execute((ConnectionCallback<Object>) (Connection connection) ->
                    queue.enqueue(connection, CONFIRM, new Confirm(customer, 1)));
            if (!rich) {
                throw new IllegalStateException(customer + " cannot pay");
            }
        }
    }

    @Service
    static class Confirmations {
        final CountDownLatch sent = new CountDownLatch(1);

        void send(Confirm confirm) {
            System.out.println("confirming order " + confirm.order() + " to " + confirm.customer());
            sent.countDown();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, arguments)) {
            Orders orders = context.getBean(Orders.class);
            try {
                orders.place("Charles", false);
            } catch (IllegalStateException expected) {
                System.out.println(expected.getMessage());
            }
            orders.place("Ada", true);
            if (!context.getBean(Confirmations.class).sent.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("no confirmation was sent");
            }
            JobQueue queue = context.getBean(JobQueue.class);
            if (!queue.admin().list(JobFilter.ALL.text("Charles")).isEmpty()) {
                throw new AssertionError("an order that was rolled back has left a job");
            }
        }
    }
}
