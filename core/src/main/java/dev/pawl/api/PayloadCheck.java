package dev.pawl.api;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The result of {@link dev.pawl.WorkerBuilder#checkPayloads}: payloads of live jobs, of schedules, and of callbacks of
 * unfinished batches.
 *
 * @param read the number of payloads that can be decoded
 * @param unreadable the number of payloads that cannot
 * @param kinds the same numbers for each kind with a handler here and at least one payload, by name
 * @param examples jobs whose payloads cannot be decoded, newest first, at most 10 of a kind and 100 in total
 * @param toCome schedules and callbacks whose payloads cannot be decoded, so that their jobs would fail; at most 10 of
 *     a kind and 100 in total
 * @param unhandled the number of payloads of each kind without a handler here, for at most 1,000 kinds. This program
 *     would not claim their jobs; that is right if another program handles them
 * @param newer the unhandled kinds that are later versions ({@link JobType#version}) of a kind with a handler here: a
 *     newer release has enqueued their jobs and must run them
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
     * @param kind the kind as it was enqueued; an earlier version or a former name counts separately
     * @param read the number of payloads that can be decoded
     * @param unreadable the number of payloads that cannot
     */
    public record OfKind(String kind, long read, long unreadable) {}

    /**
     * A job whose payload this program cannot decode.
     *
     * @param jobId the job
     * @param kind of the job
     * @param why the error of the codec, at most 500 characters
     */
    public record Unreadable(long jobId, String kind, String why) {}

    /**
     * A schedule or callback that would enqueue a job whose payload this program cannot decode.
     *
     * @param from the schedule or the batch, by name: {@code schedule nightly}, {@code batch 12 (import)}
     * @param kind of its jobs
     * @param why the error of the codec, at most 500 characters
     */
    public record ToCome(String from, String kind, String why) {}
}
