package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.Batch;
import dev.pawl.BatchBuilder;
import dev.pawl.WorkflowBuilder;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.EditResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.internal.engine.StepWorker;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One step of a program. It does something with the queue, and has the model do the same. A step refers to a job or run by an index, modulo
 * the number of jobs or runs.
 */
public interface Op {
    /** Runs the step on the queue and on the model. */
    void on(Real real, Model model) throws SQLException;

    /** A step that can be part of a transaction of the caller. */
    interface InTransaction extends Op {
        void on(Real real, Model model, @Nullable Connection connection) throws SQLException;

        @Override
        default void on(Real real, Model model) throws SQLException {
            on(real, model, null);
        }
    }

    /** Enqueues a job. */
    record Enqueue(List<Opt> options) implements InTransaction {
        @Override
        public void on(Real real, Model model, @Nullable Connection connection) throws SQLException {
            wanted(real, model).ifPresent(wanted -> enqueue(real, model, connection, wanted));
        }

        /** {@return the job to enqueue; empty if the combination of options is refused} */
        public Optional<Request> wanted(Real real, Model model) {
            boolean forged = options.contains(Opt.FORGED_MEMBER);
            long batch = forged || options.contains(Opt.IN_BATCH) ? model.batches.last() : 0;
            UnaryOperator<EnqueueOptions> inBatch = forged
                    ? each -> each.header("pawl-batch", Long.toString(batch))
                            .header(
                                    "pawl-added-by",
                                    Long.toString(model.place(0).orElse(1)))
                    : each -> real.queue.batch(batch).with(each);
            return Request.of(options, batch, inBatch, 0);
        }

        @Override
        public String toString() {
            return call("enqueue", options.toArray());
        }
    }

    private static void enqueue(Real real, Model model, @Nullable Connection connection, Request wanted) {
        EnqueueResult result;
        try {
            result = real.enqueue(connection, wanted);
        } catch (IllegalArgumentException refused) {
            model.refused(wanted, refused);
            return;
        }
        model.enqueue(wanted, result);
    }

    /** A run adds a job to its own batch. */
    record Add(int run, List<Opt> options) implements Op {
        @Override
        public void on(Real real, Model model) {
            wanted(real).ifPresent(wanted -> enqueue(real, model, null, wanted));
        }

        /** {@return the job to enqueue; empty if there is none} */
        public Optional<Request> wanted(Real real) {
            if (real.runs.isEmpty()) {
                return Optional.empty();
            }
            Job job = real.runs.get(run % real.runs.size()).run().job();
            return real.queue
                    .batch(Real.runOf(job))
                    .flatMap(batch -> Request.of(options, batch.id(), batch::with, job.id()));
        }

        @Override
        public String toString() {
            return call("add", Stream.concat(Stream.of(run), options.stream()).toArray());
        }
    }

    /** Opens a batch, or an inner batch of the one that was opened last. The canary is the number of first jobs, 0 for none. */
    record OpenBatch(boolean callbacks, boolean stops, boolean inner, int canary) implements InTransaction {
        static final JobType<String> CALLBACK = JobType.of("kb", String.class);

        OpenBatch(boolean callbacks, boolean stops) {
            this(callbacks, stops, false);
        }

        public OpenBatch(boolean callbacks, boolean stops, boolean inner) {
            this(callbacks, stops, inner, 0);
        }

        @Override
        public void on(Real real, Model model, @Nullable Connection connection) {
            long parent = inner ? model.batches.last() : 0;
            BatchBuilder builder = parent == 0
                    ? real.queue.batch("batch")
                    : real.queue.batch(parent).batch("part");
            if (callbacks) {
                builder = builder.onDone(CALLBACK, "done")
                        .onFailed(CALLBACK, "failed")
                        .onSuccess(CALLBACK, "success");
            }
            if (stops) {
                builder = builder.stopWhen(20, 2);
            }
            if (canary > 0) {
                builder = builder.canary(canary);
            }
            Batch batch;
            try {
                batch = connection == null ? builder.open() : builder.open(connection);
            } catch (IllegalArgumentException refused) {
                same("the batch takes no others", true, parent != 0 && model.batches.isSealed(parent));
                return;
            }
            model.batches.open(batch.id(), callbacks, stops, canary, parent);
        }

        @Override
        public String toString() {
            return call("openBatch", callbacks, stops, inner, canary);
        }
    }

    /** Starts a workflow. */
    record StartWorkflow(Shape shape) implements InTransaction {
        private static final JobType<Integer> KA_OF_1 = JobType.of("ka", Integer.class);

        @Override
        public void on(Real real, Model model, @Nullable Connection connection) {
            if (connection != null) {
                return; // this step reads its workflow outside of the transaction
            }
            WorkflowBuilder builder = real.queue.workflow("workflow").onFailed(OpenBatch.CALLBACK, "failed");
            for (int i = 0; i < shape.nodes.size(); i++) {
                Shape.Node node = shape.nodes.get(i);
                builder = node.jobs() == 1
                        ? builder.job("n" + i, KA_OF_1, 1, node.options())
                        : builder.jobs("n" + i, KA_OF_1, Collections.nCopies(node.jobs(), 1));
                for (int before : node.after()) {
                    builder = builder.after(node.onFailure(), "n" + before);
                }
            }
            long id = builder.start().id();
            List<Long> nodes = nodes(real, id);
            List<List<Long>> jobs = jobs(real, nodes);
            model.batches.startWorkflow(shape, id, nodes, jobs);
        }

        /** {@return the batches of a workflow's nodes} */
        public static List<Long> nodes(Real real, long workflow) {
            return real.queue.workflow(workflow).info().orElseThrow().nodes().stream()
                    .map(node -> node.jobs().id())
                    .toList();
        }

        /** {@return the jobs of each node} */
        public static List<List<Long>> jobs(Real real, List<Long> nodes) {
            return nodes.stream()
                    .map(node -> real.queue.batch(node).jobs(0, 100).stream()
                            .map(Job::id)
                            .toList())
                    .toList();
        }

        @Override
        public String toString() {
            return call("startWorkflow", shape);
        }
    }

    /** What a user does with a batch. */
    enum BatchChange {
        SEAL,
        PAUSE,
        RESUME,
        CANCEL
    }

    /** A user changes a batch. */
    record ChangeBatch(BatchChange change, int batch) implements Op {
        @Override
        public void on(Real real, Model model) {
            OptionalLong id = model.batches.at(batch);
            if (id.isEmpty()) {
                return;
            }
            Batch handle = real.queue.batch(id.getAsLong());
            switch (change) {
                case SEAL -> model.batches.seal(handle.id(), handle.seal());
                case PAUSE -> {
                    handle.pause();
                    model.batches.pause(handle.id());
                }
                case RESUME -> model.batches.resume(handle.id(), handle.resume());
                case CANCEL -> model.batches.cancel(handle.id(), handle.cancel());
            }
        }

        @Override
        public String toString() {
            return call("batch", change, batch);
        }
    }

    /** A user cancels a workflow, given by its batch or by that of a node. */
    record CancelWorkflow(int batch) implements Op {
        @Override
        public void on(Real real, Model model) {
            OptionalLong at = model.batches.at(batch);
            OptionalLong id = at.isEmpty() ? at : model.batches.workflow(at.getAsLong());
            id.ifPresent(whole ->
                    model.batches.cancel(whole, real.queue.workflow(whole).cancel()));
        }

        @Override
        public String toString() {
            return call("cancelWorkflow", batch);
        }
    }

    /** A transaction of the caller. */
    record Transaction(End end, List<InTransaction> steps) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            Model before = model.copy();
            try (Connection connection = real.stage.pool().getConnection()) {
                connection.setAutoCommit(false);
                int half = steps.size() / 2;
                Savepoint savepoint = null;
                Model there = before;
                for (int i = 0; i < steps.size(); i++) {
                    if (i == half && end == End.TO_SAVEPOINT) {
                        savepoint = connection.setSavepoint();
                        there = model.copy();
                    }
                    steps.get(i).on(real, model, connection);
                }
                if (savepoint != null) {
                    connection.rollback(savepoint);
                    model.becomes(there);
                }
                if (end == End.ROLLBACK) {
                    connection.rollback();
                    model.becomes(before);
                } else {
                    connection.commit();
                }
            }
        }

        @Override
        public String toString() {
            return call(
                    "transaction", Stream.concat(Stream.of(end), steps.stream()).toArray());
        }
    }

    /** How a transaction ends. */
    enum End {
        COMMIT,
        ROLLBACK,
        /** The second half of the steps is rolled back, the first one is committed. */
        TO_SAVEPOINT
    }

    /** Which kinds a worker handles. */
    @SuppressWarnings("ImmutableEnumChecker") // the list is a copy that cannot be changed
    enum Kinds {
        BOTH("ka", "kb"),
        ONLY_A("ka"),
        ONLY_B("kb");

        public final List<String> kinds;

        Kinds(String... kinds) {
            this.kinds = List.of(kinds);
        }
    }

    /** The worker claims from a queue. */
    record Claim(String queue, Kinds kinds, int most) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            long before = real.stage.statements();
            List<StepWorker.Run> claimed = real.worker.claim(queue, kinds.kinds, most);
            long statements = real.stage.statements() - before;
            List<Job> jobs = claimed.stream().map(StepWorker.Run::job).toList();
            model.returned(real.worker.returned());
            model.claim(real.worker, queue, kinds.kinds, most, jobs, statements);
            claimed.forEach(run ->
                    real.runs.add(new Real.Held(run, model.claimOf(run.job().id()), real.worker)));
        }

        @Override
        public String toString() {
            return call("claim", queue, kinds, most);
        }
    }

    /** A run ends. */
    record Ends(int run, How how) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            if (real.runs.isEmpty()) {
                return;
            }
            Real.Held held = real.runs.remove(run % real.runs.size());
            StepWorker.Run ended = held.run();
            boolean accepted = switch (how) {
                case COMPLETE -> held.worker().end(ended, Outcome.completed());
                case COMPLETE_IN_TRANSACTION ->
                    held.worker().completeInTransaction(ended, () -> {}) == StepWorker.Committed.COMPLETED;
                case COMPLETE_WITH_7 -> held.worker().completeWith(ended, "7");
                case FAIL, UNREADABLE ->
                    held.worker().fail(ended, how == How.UNREADABLE ? Secret::read : payload -> {});
                case RETRY_AFTER_20S -> held.worker().end(ended, Outcome.retryAfter(Duration.ofSeconds(20), "later"));
                case SNOOZE_20S -> held.worker().end(ended, Outcome.snoozeFor(Duration.ofSeconds(20)));
                case KEY_UNAVAILABLE_1M ->
                    held.worker().end(ended, Outcome.keyUnavailable(Duration.ofMinutes(1), "away"));
                case UNAVAILABLE_30S -> held.worker().end(ended, Outcome.unavailable(Duration.ofSeconds(30), "away"));
                case SNOOZE_0 -> held.worker().end(ended, Outcome.snoozeFor(Duration.ZERO));
                case CANCEL -> held.worker().end(ended, Outcome.cancel("not wanted"));
                case DISCARD -> held.worker().end(ended, Outcome.discard("hopeless"));
                case RELEASE -> held.worker().release(ended);
            };
            model.end(ended.job().id(), held.claim(), how, accepted);
            if (how == How.UNREADABLE) {
                Secret.requireHidden(real.queue, ended.job().id());
            }
        }

        @Override
        public String toString() {
            return call("end", run, how);
        }
    }

    /** All runs complete, and each worker records all its runs in one call. */
    record CompleteAll() implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            List<Real.Held> all = List.copyOf(real.runs);
            real.runs.clear();
            Set<StepWorker.Run> accepted = new HashSet<>();
            for (StepWorker worker :
                    all.stream().map(Real.Held::worker).distinct().toList()) {
                accepted.addAll(worker.complete(all.stream()
                        .filter(held -> held.worker() == worker)
                        .map(Real.Held::run)
                        .toList()));
            }
            all.forEach(held ->
                    model.end(held.run().job().id(), held.claim(), How.COMPLETE, accepted.contains(held.run())));
        }

        @Override
        public String toString() {
            return call("completeAll");
        }
    }

    /** The worker renews the lease of a run. */
    record Renew(int run) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            if (!real.runs.isEmpty()) {
                Real.Held held = real.runs.get(run % real.runs.size());
                model.renew(held.run().job().id(), held.claim(), held.worker().renew(held.run()));
            }
        }

        @Override
        public String toString() {
            return call("renew", run);
        }
    }

    /** The database loses what one step has committed, as a killed server may. Its clients do not notice. */
    record Lost(Op step) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            if (real.stage.remember()) {
                Model before = model.copy();
                step.on(real, model);
                real.stage.goBack();
                model.loses(before);
            }
        }

        @Override
        public String toString() {
            return call("lost", step);
        }
    }

    /** Enqueues many jobs of the kind ka. */
    record EnqueueMany(int jobs) implements Op {
        private static final JobType<String> KA = JobType.of("ka", String.class);
        /** Each of these jobs. */
        public static final Request EACH =
                Request.of(List.of(), 0, each -> each, 0).orElseThrow().payload("\"x\"");

        @Override
        public void on(Real real, Model model) {
            Set<Long> before = real.listed().keySet();
            long inserted =
                    real.queue.enqueueAll(KA, Collections.nCopies(jobs, "x")).inserted();
            same("inserted", (long) jobs, inserted);
            real.listed().keySet().stream()
                    .filter(id -> !before.contains(id))
                    .sorted()
                    .forEach(id -> model.enqueue(EACH, new EnqueueResult.Inserted(id)));
        }

        @Override
        public String toString() {
            return call("enqueueMany", jobs);
        }
    }

    /** Something that happens by itself, or that a worker does every second. */
    enum Duty implements Op {
        RESCUE {
            @Override
            public void on(Real real, Model model) throws SQLException {
                int unused = real.worker.rescueOfOthers();
                model.rescue(real.worker, Set.of());
            }
        },
        /** The worker dies with all its runs. Another one starts, and rescues the jobs after their leases have expired. */
        CRASH {
            @Override
            public void on(Real real, Model model) throws SQLException {
                real.restart();
                model.restart();
                model.now = model.now.plusSeconds(31);
                real.clock(model.now);
                RESCUE.on(real, model);
            }
        },
        RELEASE_KEYS {
            @Override
            public void on(Real real, Model model) throws SQLException {
                real.worker.releaseKeys();
                model.releaseKeys(real.listed());
            }
        },
        TIDY {
            @Override
            public void on(Real real, Model model) throws SQLException {
                List<Long> doomed = model.doomed();
                real.worker.tidy();
                Map<Long, Job> listed = real.listed();
                doomed.forEach(id -> {
                    Job seen = listed.get(id);
                    same("state of job " + id, JobState.CANCELLED, seen == null ? null : seen.state());
                });
                model.batches.tidied();
            }
        },
        PRUNE {
            @Override
            public void on(Real real, Model model) {
                long unused = real.queue.admin().maintenance().prune(Retention.DEFAULTS);
                Map<Long, Job> listed = real.listed();
                model.prune(listed::containsKey);
            }
        };

        @Override
        public String toString() {
            return "Op.Duty." + name();
        }
    }

    /** Time passes. */
    enum Time implements Op {
        SECONDS_2(Duration.ofSeconds(2)),
        SECONDS_20(Duration.ofSeconds(20)),
        MINUTES_2(Duration.ofMinutes(2)),
        HOURS_3(Duration.ofHours(3)),
        DAYS_8(Duration.ofDays(8));

        private final Duration length;

        Time(Duration length) {
            this.length = length;
        }

        @Override
        public void on(Real real, Model model) throws SQLException {
            real.readClocks(model);
            model.now = model.now.plus(length);
            real.clock(model.now);
        }

        @Override
        public String toString() {
            return "Op.Time." + name();
        }
    }

    /** What a user does to one job. */
    enum Person {
        CANCEL,
        RETRY,
        EDIT_PRIORITY,
        EDIT_PAYLOAD,
        EDIT_LATER,
        EDIT_NOW
    }

    /** A user changes one job. */
    record One(Person change, int job) implements Op {
        @Override
        public void on(Real real, Model model) {
            OptionalLong id = model.place(job);
            if (id.isEmpty()) {
                return;
            }
            long one = id.getAsLong();
            switch (change) {
                case CANCEL ->
                    model.people.cancel(one, real.queue.admin().jobs().cancel(one));
                case RETRY -> model.people.retry(one, real.queue.admin().jobs().retry(one));
                case EDIT_PRIORITY -> edit(real, model, one, Edit.PRIORITY);
                case EDIT_PAYLOAD -> edit(real, model, one, Edit.PAYLOAD);
                case EDIT_LATER -> edit(real, model, one, Edit.LATER);
                case EDIT_NOW -> edit(real, model, one, Edit.NOW);
            }
        }

        private static void edit(Real real, Model model, long job, Edit edit) {
            EditResult result;
            try {
                result = real.queue.admin().jobs().edit(job, edit.at(model.now), "a person");
            } catch (IllegalArgumentException refused) {
                model.people.editRefused(job, edit, refused);
                return;
            }
            model.people.edit(job, edit, result);
        }

        @Override
        public String toString() {
            return call("one", change, job);
        }
    }

    /** A user changes all matching jobs. */
    record ChangeAll(Which which, Change change) implements Op {
        @Override
        public void on(Real real, Model model) {
            ChangeResult result = real.queue.admin().jobs().changeAll(which.filter(), change.at(model.now), done -> {});
            same("jobs changed by " + this, model.people.changeAll(which, change, real.listed()), result.changed());
        }

        @Override
        public String toString() {
            return call("changeAll", which, change);
        }
    }

    /** A user pauses or resumes a queue. */
    record Pause(String queue, boolean pause) implements Op {
        @Override
        public void on(Real real, Model model) {
            if (pause) {
                real.queue.admin().queues().pause(queue);
                model.pauseQueue(queue);
            } else {
                model.resumeQueue(queue, real.queue.admin().queues().resume(queue));
            }
        }

        @Override
        public String toString() {
            return call(pause ? "pause" : "resume", queue);
        }
    }

    /** A user sets how many jobs of each key run at once. 0 removes the setting, so that one job of a key runs after the other. */
    record KeysAtOnce(String queue, int most) implements Op {
        @Override
        public void on(Real real, Model model) {
            if (most == 0) {
                boolean unused = real.queue.limits().remove(Subject.keysOf(queue));
            } else {
                real.queue.limits().set(Limit.keysOf(queue).atOnce(most));
            }
            model.keysAtOnce(queue, most);
        }

        @Override
        public String toString() {
            return call("keysAtOnce", queue, most);
        }
    }

    /** A user pauses a key for a minute. */
    record PauseKey(String queue, String key) implements Op {
        @Override
        public void on(Real real, Model model) {
            real.queue.limits().pause(new ConcurrencyKey(queue, key), Duration.ofMinutes(1), "a person wants it");
            model.pauseKey(queue, key, Duration.ofMinutes(1), true);
        }

        @Override
        public String toString() {
            return call("pauseKey", queue, key);
        }
    }

    /** A user resumes a key. */
    record ResumeKey(String queue, String key) implements Op {
        @Override
        public void on(Real real, Model model) {
            model.resumeKey(queue, key, real.queue.limits().resume(new ConcurrencyKey(queue, key)));
        }

        @Override
        public String toString() {
            return call("resumeKey", queue, key);
        }
    }

    /** {@return a call as Java source} */
    static String call(String name, Object... arguments) {
        return name + "("
                + Arrays.stream(arguments)
                        .map(each -> each instanceof String ? "\"" + each + "\"" : String.valueOf(each))
                        .collect(Collectors.joining(", "))
                + ")";
    }

    static Op enqueue(Opt... options) {
        return new Enqueue(List.of(options));
    }
}
