package dev.pawl.conformance.schedule;

import java.util.List;
import java.util.function.Function;

/**
 * An actor's operation on a job, which may be a read.
 *
 * @param begun when its first statement was sent
 * @param over when the operation had returned
 * @param text actor, operation and result
 * @param effect the possible states of the job afterwards; none if the result is wrong in the given state
 */
record Operation(long begun, long over, String text, Function<JobStatus, List<JobStatus>> effect) {
    @Override
    public String toString() {
        return "[%d, %d] %s".formatted(begun, over, text);
    }
}
