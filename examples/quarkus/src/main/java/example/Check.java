package example;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the example as the build does, and fails unless committed orders are processed exactly once. */
@QuarkusMain
public class Check implements QuarkusApplication {
    @Inject
    Orders orders;

    @Inject
    JobQueue queue;

    @Inject
    SmallRyeHealthReporter health;

    @Override
    public int run(String... arguments) throws Exception {
        orders.create();
        orders.place(1, true);
        try {
            orders.place(2, false);
            return 1;
        } catch (IllegalStateException notPaid) {
            System.out.println("no order without payment");
        }
        for (int i = 0; i < 600 && !isDone(); i++) {
            TimeUnit.MILLISECONDS.sleep(50); // polls, because the database does not report the end of a job
        }
        String ready = health.getReadiness().getPayload().toString();
        System.out.println(orders.all() + queue.admin().jobs().list(JobFilter.ALL) + ready);
        boolean isReady = ready.contains("job queue") && ready.contains("\"worker\":\"running\"");
        return isDone() && isReady && orders.all().equals("1=1 ") ? 0 : 1;
    }

    /** {@return whether the confirmation and the first welcome have completed} */
    private boolean isDone() {
        List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL);
        return jobs.size() == 2 && jobs.stream().allMatch(job -> job.state() == JobState.COMPLETED);
    }
}
