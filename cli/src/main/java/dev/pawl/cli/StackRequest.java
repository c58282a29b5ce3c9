package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobStack;
import java.time.Duration;
import java.util.Optional;

/** Requests the stack trace of a job's handler from its worker, and waits for it. */
final class StackRequest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 100;

    private final Admin admin;
    private final long id;

    StackRequest(Admin admin, long id) {
        this.admin = admin;
        this.id = id;
    }

    /** {@return the reported stack} */
    JobStack answer() throws InterruptedException {
        switch (admin.runs().requestStackTrace(id)) {
            case REQUESTED -> {}
            case NOT_RUNNING -> throw new NotFoundException("job " + id + " is not running: it has no stack");
            case REMOTE ->
                throw new NotFoundException(
                        "job " + id + " runs on a worker without a database, which cannot report a stack");
            case NOT_FOUND -> throw new NotFoundException("there is no job " + id + " (or it was pruned)");
        }
        long start = System.nanoTime();
        while (System.nanoTime() - start < TIMEOUT.toNanos()) {
            Optional<JobStack> reported = admin.runs().stackTrace(id).filter(each -> each.stack() != null);
            if (reported.isPresent()) {
                return reported.get();
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        throw new NotFoundException("the worker of job " + id + " has not answered for " + TIMEOUT.toSeconds()
                + " seconds: the run may be over, its worker dead, or of a version that does not answer");
    }
}
