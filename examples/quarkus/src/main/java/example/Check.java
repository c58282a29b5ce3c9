package example;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs it as the build does, and fails unless committed orders are processed exactly once. */
@QuarkusMain
public class Check implements QuarkusApplication {
    @Inject
    Orders orders;

    @Inject
    JobQueue queue;

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
            TimeUnit.MILLISECONDS.sleep(50); // a database sends no signal
        }
        System.out.println(orders.all() + queue.admin().jobs().list(JobFilter.ALL));
        return isDone() && orders.all().equals("1=1 ") ? 0 : 1;
    }

    private boolean isDone() {
        List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL);
        return jobs.size() == 1 && jobs.get(0).state() == JobState.COMPLETED;
    }
}
