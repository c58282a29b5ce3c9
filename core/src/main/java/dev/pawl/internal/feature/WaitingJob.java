package dev.pawl.internal.feature;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import java.time.Instant;
import java.util.Optional;

/**
 * A waiting job, for which each feature says why it waits.
 *
 * @param database to read from, in short statements
 * @param job as just read
 * @param now by the database's clock
 */
public record WaitingJob(Database database, Job job, Instant now) {
    /** {@return the moment for which it waits; empty if it waits for no moment, or also for something without a known moment} */
    public Optional<Instant> due() {
        return job.state() == JobState.PENDING || job.state() == JobState.PAUSED
                ? Optional.empty()
                : Optional.of(job.availableAt()).filter(now::isBefore);
    }
}
