package dev.pawl.specification.concurrent;

import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.BatchInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What clients, handlers, people and an observer did and saw. Thread-safe while it is written. */
final class History {
    /**
     * An enqueue that was committed.
     *
     * @param span until it was committed, if it inserted a job; otherwise until the call returned
     * @param marker payload of the job
     */
    record Enqueued(Span span, int marker, String kind, EnqueueOptions options, EnqueueResult result) {
        boolean isInserted() {
            return result instanceof EnqueueResult.Inserted;
        }
    }

    /**
     * A handler that ran.
     *
     * @param slot the number of its slot, if it had one
     */
    record Run(Span span, Job job, @Nullable Long slot) {
        Lease lease() {
            return new Lease(job.id(), job.leaseToken());
        }
    }

    /** A claim of a job. */
    record Lease(long job, long token) {}

    /**
     * An outcome that is recorded in the database, as the worker was told.
     *
     * @param at when it was told; the database knew it before
     * @param state of the job since then
     */
    record Ended(long at, Lease lease, JobState state) {}

    /** What a person can do. */
    enum Verb {
        CANCEL,
        RETRY
    }

    /**
     * Something that a person has done about a job.
     *
     * @param isDone false if its run was only asked to end
     */
    record Changed(Span span, long job, Verb verb, boolean isDone) {}

    /** A job as it was listed. */
    record Seen(Span span, Job job) {}

    /**
     * A batch.
     *
     * @param sealing when it was sealed
     * @param last how it was in the end
     */
    record BatchEnd(Span sealing, BatchInfo last) {}

    final List<Enqueued> enqueued = Collections.synchronizedList(new ArrayList<>());
    final List<Run> runs = Collections.synchronizedList(new ArrayList<>());
    final List<Ended> ended = Collections.synchronizedList(new ArrayList<>());
    final List<Changed> changed = Collections.synchronizedList(new ArrayList<>());
    final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
    final List<BatchEnd> batches = Collections.synchronizedList(new ArrayList<>());
    /** All jobs, when all had ended. */
    final Map<Long, Job> last = new HashMap<>();

    /** {@return the runs of each job, in the order in which they began} */
    Map<Long, List<Run>> runsByJob() {
        Map<Long, List<Run>> byJob = new HashMap<>();
        runs.stream()
                .sorted(Comparator.comparingLong(run -> run.span().from()))
                .forEach(run -> byJob.computeIfAbsent(run.job().id(), any -> new ArrayList<>())
                        .add(run));
        return byJob;
    }

    Optional<Ended> endOf(Run run) {
        return ended.stream().filter(end -> end.lease().equals(run.lease())).findFirst();
    }

    /** {@return the runs whose outcome counts: they held their leases until they had ended} */
    List<Run> accepted() {
        Map<Lease, Ended> ends = new HashMap<>();
        ended.forEach(end -> ends.put(end.lease(), end));
        return runs.stream().filter(run -> ends.containsKey(run.lease())).toList();
    }

    /** {@return whether a person has had the job run again at some time in this span} */
    boolean isRetried(long job, long from, long to) {
        return changed.stream()
                .anyMatch(change -> change.job() == job
                        && change.verb() == Verb.RETRY
                        && change.span().from() <= to
                        && change.span().to() >= from);
    }

    /** {@return whether a person did anything with it} */
    boolean isTouched(long job) {
        return changed.stream().anyMatch(change -> change.job() == job);
    }

    /** {@return the job that an enqueue inserted} */
    static OptionalLong inserted(Enqueued enqueue) {
        return enqueue.isInserted() ? OptionalLong.of(enqueue.result().jobId()) : OptionalLong.empty();
    }
}
