package dev.pawl;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@link WorkerBuilder#checkPayloads} has found. A payload is that of a job that waits or runs, of a schedule, or of a callback
 * of a batch that is not done.
 *
 * @param read how many payloads can be read
 * @param unreadable how many cannot
 * @param kinds the same for each kind that has a handler here and payloads, by name
 * @param examples of jobs whose payloads cannot be read, the newest first, at most 10 of a kind and 100 in all
 * @param toCome schedules and callbacks whose payloads cannot be read, so that the jobs they enqueue would fail; at most 10 of a kind and 100 in all
 * @param unhandled how many payloads have no handler here, by kind; of 1,000 kinds at most. The present program
 *     would leave their jobs alone; that is right if another one handles them
 * @param newer which of the unhandled kinds are later versions ({@link JobType#version}) of one that has a handler here: a newer
 *     release has enqueued their jobs, and must run them
 */
public record PayloadCheck(
        long read,
        long unreadable,
        List<OfKind> kinds,
        List<Unreadable> examples,
        List<ToCome> toCome,
        Map<String, Long> unhandled,
        Set<String> newer) {
    /** Copies the lists, the map and the set. */
    public PayloadCheck {
        kinds = List.copyOf(kinds);
        examples = List.copyOf(examples);
        toCome = List.copyOf(toCome);
        unhandled = Map.copyOf(unhandled);
        newer = Set.copyOf(newer);
    }

    /**
     * The payloads of a kind.
     *
     * @param kind of the jobs, as they were enqueued or are to be: an earlier version or a former name has a line of its own
     * @param read how many payloads can be read
     * @param unreadable how many cannot
     */
    public record OfKind(String kind, long read, long unreadable) {}

    /**
     * A job whose payload the present program cannot read.
     *
     * @param jobId the job
     * @param kind of the job
     * @param why what the codec says, up to 500 characters
     */
    public record Unreadable(long jobId, String kind, String why) {}

    /**
     * What will enqueue jobs whose payload the present program cannot read.
     *
     * @param from the schedule or the batch, by name: {@code schedule nightly}, {@code batch 12 (import)}
     * @param kind of its jobs
     * @param why what the codec says, up to 500 characters
     */
    public record ToCome(String from, String kind, String why) {}
}
