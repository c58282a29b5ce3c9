package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Batches, inner batches, and workflows, whose nodes are batches. Counts how their jobs end, and derives the states of the batches and
 * their callbacks.
 */
public final class ModelBatches {
    /** A dependency of a node on another one. */
    record Edge(long before, OnFailure onFailure) {}

    /** A job that a batch has enqueued, and that was not listed yet. */
    private record Callback(long batch, String payload, long memberOf) {}

    private final Model model;
    private final TreeMap<Long, SpecBatch> batches = new TreeMap<>();
    private final List<Callback> callbacks = new ArrayList<>();
    /** The batch that a user has cancelled in this step; 0 for none. */
    private long cancelledNow;
    /**
     * The batch whose jobs are being cancelled in one transaction; 0 for none. The transaction computes the batch's state only once, after
     * the last of these jobs.
     */
    private long cancelledTogether;

    ModelBatches(Model model) {
        this.model = model;
    }

    ModelBatches copy(Model of) {
        ModelBatches copy = new ModelBatches(of);
        batches.forEach((id, batch) -> copy.batches.put(id, batch.copy()));
        copy.callbacks.addAll(callbacks);
        return copy;
    }

    /** Requires that a refused job has a batch that takes no more jobs. */
    void requireRefused(Request wanted, RuntimeException refusal) {
        SpecBatch batch = batches.get(wanted.batch());
        require(wanted.batch() != 0 && (batch == null || !mayAdd(batch, wanted)), "refused: %s", refusal);
    }

    /** Adds a new job to its batch, if it has one. */
    void add(Spec job, Request wanted) {
        if (job.batch != 0) {
            SpecBatch batch = the(job.batch);
            require(mayAdd(batch, wanted), "job %s was added to batch %s", job.id, job.batch);
            batch.jobs++;
            batch.done = false;
            job.paused = batch.added >= batch.canary && batch.canary > 0 && isDueAtOnce(wanted.options());
            batch.added++;
            batch.cancelsRest |= batch.stopped && !batch.isReadLessOften;
        }
    }

    private static boolean isDueAtOnce(EnqueueOptions options) {
        return options.key() == null
                && options.availableAt() == null
                && options.delay().isZero();
    }

    /** A job has ended. */
    void ended(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        if (batch != null) {
            count(batch, job.state, 1);
            if (batch.id != cancelledTogether) {
                ended(batch);
            }
        }
    }

    /** A finished job is about to become live again. */
    void livesAgain(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        if (batch != null) {
            count(batch, job.state, -1);
            for (SpecBatch each = batch; each != null; each = batches.get(each.parent)) {
                isStoppedNoMore(each);
            }
            ended(batch);
        }
    }

    /** {@return whether a job waits for other nodes} */
    boolean isPending(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        return batch != null && batch.isNode && !batch.free;
    }

    /** {@return whether a callback is cancelled with the batch that a user has cancelled in this step} */
    boolean isCancelledNow(Spec job) {
        return cancelledNow != 0 && isWithin(job.batch, cancelledNow);
    }

    /** {@return the batch that an expected callback belongs to} */
    long takeCallback(long id, Job seen) {
        String of = seen.headers().get("pawl-callback-of");
        Callback callback = new Callback(
                of == null ? 0 : Long.parseLong(of),
                seen.payload(),
                seen.batch().orElse(0));
        require(callbacks.remove(callback), "job %s should not be there: %s %s", id, seen, seen.payload());
        return callback.memberOf();
    }

    /** Requires that every expected callback was listed. */
    void requireNoCallbacks() {
        cancelledNow = 0;
        require(callbacks.isEmpty(), "callbacks that were not enqueued: %s", callbacks);
    }

    private SpecBatch the(long id) {
        SpecBatch batch = batches.get(id);
        if (batch == null) {
            throw new Difference("there is no batch " + id);
        }
        return batch;
    }

    boolean isSealed(long batch) {
        return the(batch).sealed;
    }

    public void open(long id, boolean withCallbacks, boolean stops, int canary, long parent) {
        require(!batches.containsKey(id), "batch %s is there already", id);
        if (parent != 0) {
            require(!isSealed(parent), "batch %s became part of a batch that was sealed", id);
            the(parent).jobs++;
        }
        SpecBatch batch = new SpecBatch(id);
        batch.parent = parent;
        batch.callbacks = withCallbacks;
        batch.stops = stops;
        batch.canary = canary;
        batches.put(id, batch);
    }

    /**
     * A workflow was started: a batch whose parts are the nodes, with all their jobs.
     *
     * @param shape of the workflow
     * @param id of the workflow's batch
     * @param nodes the batches of the nodes, in order
     * @param jobsOfNodes the ids of the jobs of each node
     */
    public void startWorkflow(Shape shape, long id, List<Long> nodes, List<List<Long>> jobsOfNodes) {
        same("nodes", shape.nodes.size(), nodes.size());
        SpecBatch whole = new SpecBatch(id);
        whole.isWorkflow = true;
        whole.sealed = true;
        whole.callbacks = true; // one callback, for the first failure
        whole.onDone = true;
        whole.onSuccess = true;
        whole.jobs = nodes.size();
        batches.put(id, whole);
        for (int i = 0; i < nodes.size(); i++) {
            Shape.Node node = shape.nodes.get(i);
            SpecBatch batch = new SpecBatch(nodes.get(i));
            batch.isNode = true;
            batch.parent = id;
            batch.sealed = true;
            batch.free = node.after().isEmpty();
            batch.after = node.after().stream()
                    .map(before -> new Edge(nodes.get(before), node.onFailure()))
                    .toList();
            batches.put(batch.id, batch);
            same("jobs of node " + i, node.jobs(), jobsOfNodes.get(i).size());
            for (long each : jobsOfNodes.get(i)) {
                Spec job = new Spec(each, "ka", model.now);
                new Request("ka", "1", node.options(), batch.id, 0).writeTo(job, model.now);
                if (!batch.free) {
                    job.pending = true;
                    job.blocked = false;
                }
                model.add(job);
                batch.jobs++;
            }
        }
    }

    /** {@return the batch with this index, modulo the number of batches; empty if there are none} */
    public OptionalLong at(int place) {
        return batches.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(List.copyOf(batches.keySet()).get(place % batches.size()));
    }

    /** {@return the batch that was opened last; 0 if there is none} */
    public long last() {
        return batches.values().stream()
                .filter(batch -> !batch.isNode && !batch.isWorkflow)
                .mapToLong(batch -> batch.id)
                .max()
                .orElse(0);
    }

    public void seal(long id, boolean sealed) {
        SpecBatch batch = the(id);
        same("seal", !batch.sealed, sealed);
        batch.sealed = true;
        ended(batch);
    }

    /** {@return whether a batch has this id, or is a node of the workflow with this id; inner batches do not count} */
    private boolean isOf(SpecBatch batch, long id) {
        return batch.id == id || (batch.isNode && batch.parent == id);
    }

    public void pause(long id) {
        batches.values().stream().filter(batch -> isOf(batch, id)).forEach(batch -> batch.paused = true);
    }

    public void resume(long id, boolean resumed) {
        List<SpecBatch> all =
                batches.values().stream().filter(batch -> isOf(batch, id)).toList();
        same("resume of batch", all.stream().anyMatch(batch -> batch.paused), resumed);
        all.forEach(batch -> {
            batch.paused = false;
            release(batch);
        });
    }

    /** Releases the paused jobs of a batch, except those that were never claimed, and still wait for the first jobs. */
    private void release(SpecBatch batch) {
        model.all()
                .filter(job -> job.batch == batch.id && (batch.canary == 0 || job.token > 0))
                .forEach(this::goesOn);
    }

    /** {@return whether a worker is to cancel the job, because its batch, or one around it, was just stopped} */
    boolean isToBeCancelled(Spec job) {
        return batches.values().stream().anyMatch(batch -> batch.cancelsRest && isWithin(job.batch, batch.id));
    }

    /** A worker has cancelled the rest of stopped batches, and released the rest of those whose first jobs have completed. */
    void tidied() {
        for (SpecBatch batch : batches.values()) {
            batch.cancelsRest = false;
            batch.isReadLessOften |=
                    batch.stopped && model.all().anyMatch(job -> job.runs() && isWithin(job.batch, batch.id));
            batch.canary = batch.releasesRest ? 0 : batch.canary;
            batch.releasesRest = false;
            if (!batch.paused) {
                release(batch);
            }
        }
    }

    /** Adopts that a worker has released a job with the rest of its batch. */
    void mayRelease(Spec job, Job seen) {
        SpecBatch batch = batches.get(job.batch);
        if (batch != null && batch.releasesRest && seen.state() != JobState.PAUSED) {
            goesOn(job);
        }
    }

    /** {@return whether a worker is to release the job with the rest of its batch} */
    boolean isToBeReleased(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        return batch != null && batch.releasesRest && !batch.paused;
    }

    /** A paused job becomes available at its old position, or blocked if it has a key. */
    private void goesOn(Spec job) {
        if (job.paused) {
            job.paused = false;
            job.outOfTurn = false;
            job.blocked = job.key != null;
        }
    }

    /** {@return the workflow that a batch is, or is a node of} */
    OptionalLong workflow(long id) {
        SpecBatch batch = the(id);
        return batch.isWorkflow
                ? OptionalLong.of(id)
                : batch.isNode ? OptionalLong.of(batch.parent) : OptionalLong.empty();
    }

    /**
     * Cancels a batch and its inner batches. Jobs that appear during the cancellation, such as callbacks of inner batches, may escape it.
     */
    void cancel(long id, long cancelled) {
        long expected =
                innerFirst(the(id)).stream().mapToLong(this::cancelTogether).sum();
        long most = expected
                + callbacks.stream().filter(one -> isWithin(one.memberOf(), id)).count();
        require(
                expected <= cancelled && cancelled <= most,
                "%s jobs of batch %s were cancelled, not %s",
                cancelled,
                id,
                expected);
        cancelledNow = id;
    }

    /** {@return the inner batches of a batch, and then the batch itself; the nodes of a workflow are in reverse order} */
    private List<SpecBatch> innerFirst(SpecBatch batch) {
        List<SpecBatch> order = new ArrayList<>();
        for (SpecBatch inner : batches.values()) {
            if (inner.parent == batch.id) {
                order.addAll(batch.isWorkflow ? 0 : order.size(), innerFirst(inner));
            }
        }
        order.add(batch);
        return order;
    }

    /**
     * {@return how many of the batch's own jobs are cancelled or asked to stop} The batch's state is computed once, after all these jobs.
     */
    private long cancelTogether(SpecBatch batch) {
        List<Spec> jobs =
                model.all().filter(job -> job.batch == batch.id && job.lives()).toList();
        cancelledTogether = batch.id;
        for (Spec job : jobs) {
            if (job.waits()) {
                model.finish(job, JobState.CANCELLED);
            } else {
                job.cancelRequested = true;
            }
        }
        cancelledTogether = 0;
        if (!jobs.isEmpty()) {
            ended(batch);
        }
        return jobs.size();
    }

    public boolean isWithin(long batch, long other) {
        SpecBatch inner = batches.get(batch);
        return inner != null && (batch == other || isWithin(inner.parent, other));
    }

    private static void count(SpecBatch batch, JobState state, int jobs) {
        switch (state) {
            case COMPLETED -> batch.completed += jobs;
            case DISCARDED -> batch.failed += jobs;
            default -> batch.cancelled += jobs;
        }
    }

    /** One of the batch's jobs has ended, or the batch was sealed. */
    private void ended(SpecBatch batch) {
        if (batch.failed > 0 && !batch.onFailed) {
            batch.onFailed = true;
            callback(batch, "failed");
        }
        batch.done = batch.sealed && batch.ended() == batch.jobs;
        boolean tooMany = batch.ended() >= 2 && batch.failed * 100 > 20 * batch.ended();
        batch.releasesRest |= batch.canary > 0 && batch.completed >= batch.canary;
        boolean firstFailed = batch.canary > 0 && !batch.releasesRest && batch.failed + batch.cancelled > 0;
        if (!batch.stopped && ((batch.stops && tooMany && !batch.goesOn) || firstFailed)) {
            batch.stopped = true;
            batch.cancelsRest = true;
        }
        batch.releasesRest &= !batch.stopped || batch.done;
        if (batch.done && !batch.onDone) {
            batch.onDone = true;
            callback(batch, "done");
        }
        if (batch.done && batch.completed == batch.jobs && !batch.onSuccess) {
            batch.onSuccess = true;
            callback(batch, "success");
        }
        report(batch);
        if (batch.isNode && batch.done) {
            batches.values().stream()
                    .filter(next -> next.after.stream().anyMatch(edge -> edge.before == batch.id))
                    .forEach(this::nodeBeforeHasEnded);
        }
    }

    /** Updates the outer batch, which counts this one like a job. So the outer batch may end, or become live again. */
    private void report(SpecBatch batch) {
        JobState before = batch.reported;
        JobState end =
                batch.failed > 0 ? JobState.DISCARDED : batch.cancelled > 0 ? JobState.CANCELLED : JobState.COMPLETED;
        batch.reported = batch.done ? end : null;
        SpecBatch parent = batches.get(batch.parent);
        if (parent == null || before == batch.reported) {
            return;
        }
        if (before != null) {
            count(parent, before, -1);
        }
        if (batch.reported != null) {
            count(parent, batch.reported, 1);
        }
        ended(parent);
    }

    /** One of its jobs, or a job within it, is live again. */
    private static void isStoppedNoMore(SpecBatch batch) {
        batch.goesOn |= batch.stopped;
        batch.releasesRest |= batch.stopped && batch.canary > 0;
        batch.cancelsRest = false;
        batch.stopped = false;
    }

    /**
     * A dependency of a node has ended. If all dependencies now allow it, the node's jobs are freed. If this one forbids it, they are to be
     * cancelled.
     */
    private void nodeBeforeHasEnded(SpecBatch node) {
        boolean all = true;
        for (Edge edge : node.after) {
            all &= isSatisfied(edge);
            if (!node.free
                    && !node.doomed
                    && the(edge.before).done
                    && !isSatisfied(edge)
                    && edge.onFailure == OnFailure.CANCEL) {
                node.doomed = true;
                model.all().filter(job -> job.batch == node.id && job.pending).forEach(job -> job.toCancel = true);
            }
        }
        if (all && !node.free) {
            node.free = true;
            model.all().filter(job -> job.batch == node.id && job.pending).forEach(job -> {
                job.pending = false;
                job.blocked = job.key != null;
                job.due = model.now;
                job.dueUntil = job.key == null ? null : model.now;
            });
        }
    }

    private void callback(SpecBatch batch, String payload) {
        if (batch.callbacks) {
            SpecBatch parent = batches.get(batch.parent);
            if (parent != null && !parent.done) {
                callbacks.add(new Callback(batch.id, "\"" + payload + "\"", batch.parent));
                parent.jobs++;
                parent.added++;
            } else {
                callbacks.add(new Callback(batch.id, "\"" + payload + "\"", 0));
            }
        }
    }

    public void compare(
            LongFunction<Optional<BatchInfo>> findBatch, LongFunction<Optional<WorkflowInfo>> findWorkflow) {
        for (SpecBatch batch : batches.values()) {
            if (batch.isWorkflow) {
                compareWorkflow(batch, there(batch.id, findWorkflow));
            } else if (!batch.isNode) {
                compare(batch, there(batch.id, findBatch));
            }
        }
    }

    private static <T> T there(long id, LongFunction<Optional<T>> find) {
        return find.apply(id).orElseThrow(() -> new Difference("batch " + id + ": it is not there"));
    }

    /** Compares one batch with what the queue shows. */
    void compare(long id, BatchInfo seen) {
        compare(the(id), seen);
    }

    private static void compare(SpecBatch batch, BatchInfo seen) {
        String name = "batch " + batch.id + ": ";
        same(name + "its number", batch.id, seen.id());
        same(name + "jobs", batch.jobs, seen.jobs());
        same(name + "completed", batch.completed, seen.completed());
        same(name + "failed", batch.failed, seen.failed());
        same(name + "cancelled", batch.cancelled, seen.cancelled());
        same(name + "sealed", batch.sealed, seen.sealedAt() != null);
        same(name + "stopped", batch.stopped, seen.stoppedAt() != null);
        same(name + "paused", batch.paused, seen.pausedAt() != null);
        if (batch.releasesRest && seen.canary() == 0) {
            batch.canary = 0; // a worker has failed after this, and has not released the jobs
        }
        same(name + "canary", batch.canary, seen.canary());
        same(name + "done", batch.done, seen.isDone());
    }

    private void compareWorkflow(SpecBatch whole, WorkflowInfo seen) {
        compare(whole, seen.whole());
        List<SpecBatch> nodes = batches.values().stream()
                .filter(batch -> batch.isNode && batch.parent == whole.id)
                .toList();
        same("nodes of workflow " + whole.id, nodes.size(), seen.nodes().size());
        for (int i = 0; i < nodes.size(); i++) {
            SpecBatch node = nodes.get(i);
            WorkflowNode other = seen.nodes().get(i);
            String name = "node " + node.id + ": ";
            compare(node, other.jobs());
            same(name + "waits for none", node.free, other.isFree());
            same(
                    name + "waits no more for those before",
                    node.after.stream().map(this::isSatisfied).toList(),
                    other.after().stream().map(WorkflowNode.After::isMet).toList());
        }
    }

    private boolean isSatisfied(Edge edge) {
        SpecBatch before = the(edge.before);
        return before.done && (before.completed == before.jobs || edge.onFailure == OnFailure.RUN_ANYWAY);
    }

    /** {@return whether a paused job waits only for the first jobs of its batch} */
    boolean waitsForFirst(Spec job) {
        return !isPaused(job) && the(job.batch).canary > 0;
    }

    boolean isPaused(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        return batch != null && batch.paused;
    }

    /**
     * {@return whether a waiting job may be cancelled because its batch, or one around it, is stopped} A job of an inner batch may start
     * before it is cancelled.
     */
    boolean isWithinStopped(Spec job) {
        return batches.values().stream().anyMatch(batch -> batch.stopped && isWithin(job.batch, batch.id));
    }

    boolean isStopped(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        return batch != null && batch.stopped;
    }

    /** {@return whether pending jobs of the job's node are to be cancelled, because a dependency has failed} */
    boolean isDoomed(Spec job) {
        SpecBatch node = batches.get(job.batch);
        return node != null && node.doomed;
    }

    /**
     * {@return whether a job may be added: by any program until the batch is sealed, then by the batch's own jobs until it is done} Runs
     * whose claims are lost may still add jobs.
     */
    private static boolean mayAdd(SpecBatch batch, Request wanted) {
        return !batch.sealed || (wanted.member() != 0 && !batch.done);
    }
}
