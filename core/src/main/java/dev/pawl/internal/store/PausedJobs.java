package dev.pawl.internal.store;

import dev.pawl.api.Job;
import java.time.Duration;
import java.time.Instant;

/** The moments in the distant future at which jobs of paused batches are due; they differ from those of jobs blocked by their keys. */
public final class PausedJobs {
    /** Only paused jobs, and {@link Job#PARKED} ones, are due this late or later. */
    public static final Instant FROM = Job.HELD_BACK.minus(Job.HELD_AROUND);

    /** Exclusive end of the moments of paused jobs. */
    public static final Instant UNTIL = Job.HELD_BACK.plus(Job.HELD_AROUND);

    /** The moment of jobs whose batch is paused when they are enqueued. */
    public static final Instant AT = Job.HELD_BACK;

    /** Snooze length by which a worker sets jobs aside; for the next six centuries it ends between the two moments. */
    public static final Duration LENGTH = Duration.ofDays(365L * 6_250);

    /** After this time since the end of a pause all workers know of it, and the jobs that they had set aside can be found. */
    public static final Duration KNOWN = Duration.ofMinutes(2);

    private PausedJobs() {}
}
