package dev.pawl.cli;

import dev.pawl.DatabaseException;
import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobAdmin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Looks at a job until it has ended, and tells what is new each time. A look is two or three small reads. */
final class JobFollower {
    private static final long PAUSE_MILLIS = 500;
    /** A long log takes long to read, and is read again at each look: of six parts of the time at most one is spent on that. */
    private static final int PAUSES_PER_LOOK = 5;
    /** Workers write the lines of a run within about a second, so the last ones may come after its end. */
    private static final long LATE_LINES_MILLIS = 1500;

    /** The same for a job that had ended when it was first looked at, if that was not long ago: clocks differ. */
    private static final Duration JUST_NOW = Duration.ofMinutes(1);

    private final JobAdmin admin;
    private final long id;
    private final Outage outage;
    private final JobStory story = new JobStory();

    /** @param outage what to do while the database fails */
    JobFollower(JobAdmin admin, long id, Outage outage) {
        this.admin = admin;
        this.id = id;
        this.outage = outage;
    }

    /**
     * @param tell prints
     * @param listening false if nobody reads any more what is printed
     * @return whether the job is completed, or nobody has waited for that
     * @throws NotFoundException if there is no such job, or it is gone before its end was seen
     * @throws DatabaseException if the database has failed for too long
     */
    boolean follow(Consumer<JobEvent> tell, Listening listening) throws InterruptedException {
        boolean wasLive = false;
        while (true) {
            long began = System.nanoTime();
            boolean isKnown = wasLive;
            Job job = outage.survive(() -> find(isKnown));
            boolean ended = job.state().isFinished();
            if (ended && (wasLive || hasJustEnded(job))) {
                TimeUnit.MILLISECONDS.sleep(LATE_LINES_MILLIS);
            }
            outage.survive(() -> look(job)).forEach(tell);
            if (ended || !listening.goesOn()) {
                return !ended || job.state() == JobState.COMPLETED;
            }
            wasLive = true;
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            TimeUnit.MILLISECONDS.sleep(Math.max(PAUSE_MILLIS, PAUSES_PER_LOOK * tookMillis));
        }
    }

    private List<JobEvent> look(Job job) {
        List<FailedAttempt> failed = story.hasMoved(job) ? admin.failedAttempts(id) : List.of();
        return story.next(job, failed, admin.log(id));
    }

    private static boolean hasJustEnded(Job job) {
        Instant at = job.finishedAt();
        return at != null && Duration.between(at, Instant.now()).abs().compareTo(JUST_NOW) < 0;
    }

    /** Whether somebody still reads. */
    interface Listening {
        boolean goesOn();
    }

    private Job find(boolean wasThere) {
        return admin.find(id)
                .orElseThrow(() -> new NotFoundException(
                        wasThere
                                ? "job " + id + " is gone: it was deleted, or it has ended and ended jobs are not kept"
                                : "there is no job " + id + " (or it was pruned)"));
    }
}
