package dev.pawl.internal.key;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes jobs with concurrency keys as blocked, with a row in {@code pawl_keyed}. A worker releases them. */
final class BlockedRows {
    private final KeyedInserts inserts;

    BlockedRows(Dialect dialect) {
        this.inserts = new KeyedInserts(dialect);
    }

    /**
     * {@return whether a job has a concurrency key} False for a pending job of a workflow, because it is blocked later, when the workflow
     * releases it.
     */
    static boolean isKeyed(JobRequest job) {
        return key(job) != null && OwnOptions.state(job) != JobState.PENDING;
    }

    private static @Nullable String key(JobRequest job) {
        return job.options().key();
    }

    /** {@return the job to write: blocked if it has a concurrency key} */
    static JobRequest blocked(JobRequest job) {
        return isKeyed(job) ? OwnOptions.written(job, JobState.BLOCKED) : job;
    }

    /** Writes the rows in {@code pawl_keyed} of the jobs that were inserted. */
    void note(Connection connection, List<JobRequest> jobs, List<EnqueueResult> results) throws SQLException {
        List<KeyedInserts.Position> delayed = new ArrayList<>();
        List<KeyedInserts.Position> others = new ArrayList<>();
        for (int place = 0; place < jobs.size(); place++) {
            String key = key(jobs.get(place));
            if (key != null
                    && isKeyed(jobs.get(place))
                    && results.get(place) instanceof EnqueueResult.Inserted inserted) {
                EnqueueOptions options = jobs.get(place).options();
                Instant moment = options.availableAt();
                long delay = Micros.of(options.delay());
                boolean isDelayed = moment == null && delay > 0;
                long due = isDelayed ? delay : moment == null ? 0 : Math.max(0, Micros.of(moment));
                (isDelayed ? delayed : others)
                        .add(new KeyedInserts.Position(
                                options.queue(), key, inserted.jobId(), options.priority(), due));
            }
        }
        inserts.fromNow(connection, delayed);
        inserts.at(connection, others);
    }
}
