package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.JobAdmin;
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

    private final JobAdmin admin;
    private final long id;
    private final JobStory story = new JobStory();

    JobFollower(JobAdmin admin, long id) {
        this.admin = admin;
        this.id = id;
    }

    /**
     * @param tell prints
     * @param listening false if nobody reads any more what is printed
     * @return whether the job is completed, or nobody has waited for that
     * @throws NotFoundException if there is no such job, or it is gone before its end was seen
     */
    boolean follow(Consumer<JobEvent> tell, Listening listening) throws InterruptedException {
        boolean wasLive = false;
        while (true) {
            long began = System.nanoTime();
            Job job = find(wasLive);
            boolean ended = job.state().isFinished();
            if (ended && wasLive) {
                TimeUnit.MILLISECONDS.sleep(LATE_LINES_MILLIS);
            }
            story.next(job, story.hasMoved(job) ? admin.failedAttempts(id) : List.of(), admin.log(id))
                    .forEach(tell);
            if (ended || !listening.goesOn()) {
                return !ended || job.state() == JobState.COMPLETED;
            }
            wasLive = true;
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            TimeUnit.MILLISECONDS.sleep(Math.max(PAUSE_MILLIS, PAUSES_PER_LOOK * tookMillis));
        }
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
