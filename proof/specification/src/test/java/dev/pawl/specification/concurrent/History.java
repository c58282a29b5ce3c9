package dev.pawl.specification.concurrent;

import dev.pawl.admin.BatchInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations and observations of clients, handlers, users and an observer. Thread-safe while it is written. */
final class History {
    /**
     * A committed enqueue.
     *
     * @param span ends with the commit if the enqueue inserted a job, and otherwise when the call returned
     * @param marker payload of the job
     */
    record Enqueued(Span span, int marker, String kind, EnqueueOptions options, EnqueueResult result) {
        boolean isInserted() {
            return result instanceof EnqueueResult.Inserted;
        }
    }

    /**
     * A run of a handler.
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
     * An outcome that was confirmed to the worker.
     *
     * @param at when it was confirmed; it was recorded earlier
     * @param state of the job since then
     */
    record Ended(long at, Lease lease, JobState state) {}

    /** What a user can do. */
    enum Verb {
        CANCEL,
        RETRY,
        EDIT,
        MOVE
    }

    /** What may be written to a waiting job. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
    enum Attribute {
        PAYLOAD(Job::payload),
        PRIORITY(job -> Integer.toString(job.priority())),
        QUEUE(Job::queue);

        private final Function<Job, String> read;

        Attribute(Function<Job, String> read) {
            this.read = read;
        }

        String of(Job job) {
            return read.apply(job);
        }
    }

    /** A value that a job has from some time in this span on, until another one is written. */
    record Written(Span span, long job, Attribute attribute, String value) {}

    /**
     * A time, by the database's clock, during which a queue was certainly paused.
     *
     * @param queue null for all
     */
    record Pause(@Nullable String queue, Instant from, Instant to) {
        boolean concerns(Job job) {
            return queue == null || queue.equals(job.queue());
        }
    }

    /** A job about a person; the name occurs in no other job. */
    record Confided(String name, long job) {}

    /**
     * The jobs about a person were erased.
     *
     * @param isDone false if one of them was running
     */
    record Erased(Span span, String name, boolean isDone) {}

    /**
     * Jobs of a workflow that wait together.
     *
     * @param jobs and their payloads
     * @param after indexes of the nodes for which they wait
     */
    record Node(Map<Long, Integer> jobs, Map<Integer, OnFailure> after) {}

    /** A workflow, with its nodes in the order in which they were added. */
    record Flow(long id, List<Node> nodes) {}

    /**
     * A user's change of a job.
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
     * @param last its final state
     * @param isWorkflow whether it is a workflow, whose only callback is that for the first failure
     */
    record BatchEnd(Span sealing, BatchInfo last, boolean isWorkflow) {}

    final List<Enqueued> enqueued = Collections.synchronizedList(new ArrayList<>());
    final List<Run> runs = Collections.synchronizedList(new ArrayList<>());
    final List<Ended> ended = Collections.synchronizedList(new ArrayList<>());
    final List<Changed> changed = Collections.synchronizedList(new ArrayList<>());
    final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
    final List<BatchEnd> batches = Collections.synchronizedList(new ArrayList<>());
    final List<Written> written = Collections.synchronizedList(new ArrayList<>());
    final List<Pause> pauses = Collections.synchronizedList(new ArrayList<>());
    final List<Confided> confided = Collections.synchronizedList(new ArrayList<>());
    final List<Erased> erased = Collections.synchronizedList(new ArrayList<>());
    final List<Flow> flows = Collections.synchronizedList(new ArrayList<>());
    /** The times when all threads of this process stood still. */
    final List<Span> stalls = Collections.synchronizedList(new ArrayList<>());
    /** Names of people that were found in tables after all jobs had ended, and where. */
    final Map<String, String> traces = new HashMap<>();
    /** All jobs, after they had ended. */
    final Map<Long, Job> last = new HashMap<>();

    /** {@return the runs of each job, in the order of their starts} */
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

    /** {@return whether a user has retried the job at some time in this span} */
    boolean isRetried(long job, long from, long to) {
        return changed.stream()
                .anyMatch(change -> change.job() == job
                        && change.verb() == Verb.RETRY
                        && change.span().from() <= to
                        && change.span().to() >= from);
    }

    /** {@return whether a user has changed it} */
    boolean isTouched(long job) {
        return changed.stream().anyMatch(change -> change.job() == job);
    }

    /** {@return whether a job is about a person who was erased} */
    boolean isErased(long job) {
        return confided.stream()
                .filter(each -> each.job() == job)
                .anyMatch(each -> erased.stream().anyMatch(done -> done.name().equals(each.name())));
    }

    /** {@return the job that an enqueue inserted} */
    static OptionalLong inserted(Enqueued enqueue) {
        return enqueue.isInserted() ? OptionalLong.of(enqueue.result().jobId()) : OptionalLong.empty();
    }
}
