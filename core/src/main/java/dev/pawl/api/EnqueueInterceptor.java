package dev.pawl.api;

/**
 * Observes, changes or refuses the jobs that a {@link dev.pawl.JobQueue} is about to enqueue. Added by {@link
 * dev.pawl.JobQueueBuilder#interceptEnqueue}. Must be thread-safe and quick.
 *
 * <p>It is called on the enqueueing thread, once for each job, also in bulk enqueues and {@link dev.pawl.JobQueue#enqueueFrom}. The call
 * comes before the check of the job, the look-up of its unique key and the write. {@link dev.pawl.JobQueue#enqueueMerged} calls it for the
 * new job and, if that is merged into an existing one, again for the merged job, while the existing job is locked. A transaction may be
 * open, so the interceptor must neither block nor write to the queue.
 *
 * <p>For the callback of a batch or workflow, it is called once, when the callback is set. For a job of a schedule, it is called when the
 * job is due, in the program whose worker enqueues the job. Such a job keeps its queue, its unique key and the headers with the schedule's
 * name and the tick, even if the interceptor changes them. If the interceptor refuses such a job, this program tries again after a minute,
 * unless another program has enqueued the job by then.
 *
 * <p>It is not called for jobs that are enqueued by SQL alone or by other programs, nor for existing jobs that are retried, edited or
 * moved.
 */
@FunctionalInterface
public interface EnqueueInterceptor {
    /**
     * Returns the job to enqueue.
     *
     * @param request the job, with the payload as the codec has written it
     * @return the same job, or a changed one such as {@code request.header("traceparent", context)}
     * @throws RuntimeException to refuse the job; passed on to the caller of the enqueue. Earlier batches of a bulk
     *     enqueue stay committed
     */
    JobRequest intercept(JobRequest request);
}
