package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Polls a job until it has ended, and prints new events. A poll is two or three small reads. */
final class JobFollower {
    private static final long PAUSE_MILLIS = 500;
    /**
     * Minimum pause after a poll, as a multiple of its duration: each poll reads the whole log, which may be long, and should take at most
     * a sixth of the time.
     */
    private static final int PAUSES_PER_POLL = 5;
    /** Workers write the lines of a run within about a second, so the last ones may arrive after its end. */
    private static final long LATE_LINES_MILLIS = 1500;

    /** Late lines are also awaited if the job ended less than this before the first poll. It is a minute, because clocks differ. */
    private static final Duration JUST_NOW = Duration.ofMinutes(1);

    private final Admin admin;
    private final long id;
    private final OutageRetry outage;
    private final JobHistory story = new JobHistory();

    /** @param outage handles failures of the database */
    JobFollower(Admin admin, long id, OutageRetry outage) {
        this.admin = admin;
        this.id = id;
        this.outage = outage;
    }

    /**
     * @param report prints each event
     * @param listening false once the output is no longer read
     * @return whether the job has completed; also true if the output was no longer read before the job ended
     * @throws NotFoundException if there is no such job, or it was deleted before its end was seen
     * @throws DatabaseException if the database has failed for too long
     */
    boolean follow(Consumer<JobEvent> report, Listening listening) throws InterruptedException {
        boolean wasLive = false;
        while (true) {
            long began = System.nanoTime();
            boolean isKnown = wasLive;
            Job job = outage.retry(() -> find(isKnown));
            boolean ended = job.state().isFinished();
            if (ended && (wasLive || hasJustEnded(job))) {
                TimeUnit.MILLISECONDS.sleep(LATE_LINES_MILLIS);
            }
            outage.retry(() -> poll(job)).forEach(report);
            if (ended || !listening.isReading()) {
                return !ended || job.state() == JobState.COMPLETED;
            }
            wasLive = true;
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            TimeUnit.MILLISECONDS.sleep(Math.max(PAUSE_MILLIS, PAUSES_PER_POLL * tookMillis));
        }
    }

    private List<JobEvent> poll(Job job) {
        List<FailedAttempt> failed =
                story.hasChanged(job) ? admin.runs().failedAttempts(id, Admin.UNLIMITED) : List.of();
        return story.next(job, failed, admin.runs().log(id, Admin.UNLIMITED));
    }

    private static boolean hasJustEnded(Job job) {
        Instant at = job.finishedAt();
        return at != null && Duration.between(at, Instant.now()).abs().compareTo(JUST_NOW) < 0;
    }

    /** Returns whether the output is still read. */
    interface Listening {
        boolean isReading();
    }

    private Job find(boolean wasThere) {
        return admin.jobs()
                .find(id)
                .orElseThrow(() -> new NotFoundException(
                        wasThere
                                ? "job " + id
                                        + " was deleted: by a command, or because its queue does not keep finished jobs"
                                : "there is no job " + id + " (or it was pruned)"));
    }
}
