package example;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import example.order.Orders;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.core.ApplicationModules;

/** Runs the example as the build does, and fails unless each committed order is billed once, and the module boundaries hold. */
public final class Check {
    public static void main(String[] arguments) throws Exception {
        ApplicationModules.of(Shop.class).verify();
        String file =
                Files.createTempDirectory("pawl-example-").resolve("shop.db").toString();
        try (ConfigurableApplicationContext context = SpringApplication.run(
                Shop.class, "--spring.datasource.url=jdbc:sqlite:" + file + "?busy_timeout=30000&journal_mode=WAL")) {
            Orders orders = context.getBean(Orders.class);
            JobQueue queue = context.getBean(JobQueue.class);
            orders.place(1, true);
            try {
                orders.place(2, false);
                throw new AssertionError("an order without payment was accepted");
            } catch (IllegalStateException notPaid) {
                System.out.println("no order without payment");
            }
            for (int i = 0; i < 600 && !isDone(queue); i++) {
                TimeUnit.MILLISECONDS.sleep(50); // polls, because the database does not report the end of a job
            }
            List<Integer> bills =
                    context.getBean(JdbcTemplate.class).queryForList("SELECT id FROM bills", Integer.class);
            if (!isDone(queue) || !bills.equals(List.of(1))) {
                throw new IllegalStateException(
                        bills + " " + queue.admin().jobs().list(JobFilter.ALL));
            }
            System.out.println("billed: " + bills);
        }
    }

    private static boolean isDone(JobQueue queue) {
        List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL);
        return jobs.size() == 1 && jobs.get(0).state() == JobState.COMPLETED;
    }
}
