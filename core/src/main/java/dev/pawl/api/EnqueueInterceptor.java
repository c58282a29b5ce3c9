package dev.pawl.api;

/**
 * Observes, changes or refuses the jobs that a {@link dev.pawl.JobQueue} is about to enqueue. Added by {@link
 * dev.pawl.JobQueueBuilder#interceptEnqueue}. Must be thread-safe and quick.
 *
 * <p>It is called on the enqueueing thread, once for each job, also in bulk enqueues and {@link dev.pawl.JobQueue#enqueueFrom}: before the
 * job is checked and written, and before its unique key is looked up. {@link dev.pawl.JobQueue#enqueueMerged} calls it for the new job and,
 * if that is merged into an existing one, again for the merged job, while the existing job is locked. A transaction may be open, so the
 * interceptor must neither block nor write to the queue.
 *
 * <p>The callback of a batch or workflow passes it once, when the callback is set. A job of a schedule passes it when its tick is due, in
 * the program whose worker enqueues the tick. A job of a schedule keeps its queue, its unique key and the headers of its tick even if the
 * interceptor changes them. If the interceptor refuses the job, this program tries again after a minute, unless another program has
 * enqueued the tick by then.
 *
 * <p>It is not called for jobs that are enqueued by SQL alone or by other programs, nor for existing jobs that are retried, edited or
 * moved.
 */
@FunctionalInterface
public interface EnqueueInterceptor {
    /**
     * Returns the job to enqueue.
     *
     * @param request the job, its payload as the codec has written it
     * @return the same job, or a changed one such as {@code request.header("traceparent", context)}
     * @throws RuntimeException to refuse the job; passed on to the caller of the enqueue. Earlier batches of a bulk
     *     enqueue stay committed
     */
    JobRequest intercept(JobRequest request);
}
