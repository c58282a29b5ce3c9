package example;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.util.List;
import org.sqlite.SQLiteDataSource;

/** Runs the program as the build does, and fails unless its jobs are completed. */
public final class Check {
    public static void main(String[] arguments) throws Exception {
        Welcome.main(arguments);
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:welcome.db");
        try (JobQueue queue = JobQueue.open(dataSource)) {
            List<Job> jobs = queue.admin().jobs().list(JobFilter.ALL);
            if (jobs.isEmpty() || jobs.stream().anyMatch(job -> job.state() != JobState.COMPLETED)) {
                throw new IllegalStateException("not completed: " + jobs);
            }
        }
    }
}
