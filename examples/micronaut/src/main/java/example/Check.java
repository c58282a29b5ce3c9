package example;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import io.micronaut.context.ApplicationContext;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the example as the build does, and fails unless committed orders are processed exactly once. */
public final class Check {
    public static void main(String[] arguments) throws Exception {
        String url = "jdbc:sqlite:" + Files.createTempDirectory("pawl-example-").resolve("orders.db")
                + "?busy_timeout=30000&journal_mode=WAL";
        try (ApplicationContext context = ApplicationContext.run(
                Map.of("datasources.default.url", url, "datasources.default.driver-class-name", "org.sqlite.JDBC"))) {
            Orders orders = context.getBean(Orders.class);
            JobQueue queue = context.getBean(JobQueue.class);
            orders.create();
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
            if (!isDone(queue) || !orders.all().equals("1=1 ")) {
                throw new IllegalStateException(
                        orders.all() + queue.admin().jobs().list(JobFilter.ALL));
            }
            System.out.println("confirmed: " + orders.all());
        }
    }

    /** {@return whether the confirmation and the first welcome have completed} */
    private static boolean isDone(JobQueue queue) {
        List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL);
        return jobs.size() == 2 && jobs.stream().allMatch(job -> job.state() == JobState.COMPLETED);
    }
}
