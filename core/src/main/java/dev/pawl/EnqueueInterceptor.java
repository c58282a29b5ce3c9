package dev.pawl;

/**
 * Sees every job that a {@link JobQueue} is about to enqueue, and may change or refuse it. Added by
 * {@link JobQueueBuilder#interceptEnqueue}. Must be thread-safe and quick.
 *
 * <p>It is called in the thread that enqueues, for each job of a bulk and each row of {@link JobQueue#enqueueFrom} as well, before
 * the job is checked and written and before it is known whether its unique key is taken. With {@link JobQueue#enqueueMerged} it is
 * called for the job that comes and, if there is one to merge it with, for what became of both, while that one is locked. A
 * transaction may be open, so it must not wait for anything, nor write to the queue.
 *
 * <p>Jobs of schedules pass it when their tick is due, in the program whose worker sees to the tick. They keep their queue, their
 * unique key and the headers of their tick, whatever it says. If it refuses one, this program tries again after a minute, unless
 * another one has seen to the tick before.
 *
 * <p>It does not see what is enqueued by SQL alone or by other programs, nor jobs that exist already and are retried, edited or
 * moved.
 */
@FunctionalInterface
public interface EnqueueInterceptor {
    /**
     * @param request the job, its payload as the codec has written it
     * @return the job to enqueue: the same, or another, such as {@code request.header("traceparent", context)}
     * @throws RuntimeException to refuse it; passed on to whoever enqueues. Of a bulk, the batches before have been committed
     */
    JobRequest intercept(JobRequest request);
}
