package dev.pawl.internal.admin;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.key.KeyState;
import dev.pawl.internal.limit.SqlLimits;
import dev.pawl.internal.step.SqlSteps;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a job waits: the one list for pages, the API and the command line. Everything that can keep a job from being claimed belongs here. Takes a
 * few short statements for each job; workers do not use it.
 */
final class WaitReasons {
    private static final int SHOWN_NODES = 3;

    private final Database database;
    private final Dialect dialect;
    private final JobQueries jobQueries;
    private final SqlBatches batches;
    private final SqlWorkflows workflows;
    private final SqlLimits limits;
    private final WorkerRegistry workers;
    private final SqlSteps steps;
    private final QueuePosition line;

    WaitReasons(Database database, JobQueries jobQueries, SqlBatches batches, SqlWorkflows workflows) {
        this.database = database;
        this.dialect = database.dialect();
        this.jobQueries = jobQueries;
        this.batches = batches;
        this.workflows = workflows;
        this.limits = new SqlLimits(database);
        this.workers = new WorkerRegistry(database);
        this.steps = new SqlSteps(database);
        this.line = new QueuePosition(database);
    }

    List<WaitReason> of(long jobId) throws SQLException {
        Optional<Job> job = database.autocommit(connection -> jobQueries.find(connection, jobId));
        if (job.isEmpty() || !job.get().state().isWaiting()) {
            return List.of();
        }
        Instant now = database.autocommit(connection -> Present.of(connection, dialect));
        return new Reading(job.get(), now).all();
    }

    /** About one job. */
    private final class Reading {
        private final Job job;
        private final Instant now;
        private final List<WaitReason> found = new ArrayList<>();

        Reading(Job job, Instant now) {
            this.job = job;
            this.now = now;
        }

        List<WaitReason> all() throws SQLException {
            List<LimitInfo> limited = limits.list();
            pauses();
            Optional<Instant> due = due();
            boolean isHeld = job.state() == JobState.PAUSED;
            batch(isHeld);
            expiry();
            workflow();
            if (!isHeld) {
                due.ifPresent(this::later);
            }
            key(limited, due.isPresent());
            workers();
            for (LimitInfo info : limited) {
                Subject subject = info.limit().subject();
                if (subject.equals(Subject.queue(job.queue())) || subject.equals(Subject.kind(job.kind()))) {
                    found.addAll(WaitReason.ofLimit(info, now));
                }
            }
            position();
            if (found.isEmpty()) {
                add(Cause.NEXT, "nothing keeps it from running: the next claim of a worker takes it", null, "");
            }
            found.sort(Comparator.comparing(WaitReason::cause));
            return List.copyOf(found);
        }

        private void add(Cause cause, String text, @Nullable Instant until, Object about) {
            found.add(new WaitReason(cause, text, until, about.toString()));
        }

        private void pauses() throws SQLException {
            Set<String> paused = database.autocommit(this::paused);
            if (paused.contains(QueuePause.ALL)) {
                add(Cause.ALL_PAUSED, "all queues are paused", null, "");
            }
            if (paused.contains(job.queue())) {
                add(Cause.QUEUE_PAUSED, "queue " + job.queue() + " is paused", null, job.queue());
            }
        }

        /** {@return the rows that pause its queue} */
        private Set<String> paused(Connection connection) throws SQLException {
            Sql sql = dialect.statement("SELECT name FROM pawl_queue WHERE name IN (?, ?) AND paused_at IS NOT NULL");
            Set<String> paused = new HashSet<>();
            sql.on(connection, job.queue(), QueuePause.ALL).each(rows -> paused.add(rows.getString(1)));
            return paused;
        }

        /** {@return the moment for which it waits; empty if it waits for none} */
        private Optional<Instant> due() {
            return job.state() == JobState.PENDING || job.state() == JobState.PAUSED
                    ? Optional.empty()
                    : Optional.of(job.availableAt()).filter(now::isBefore);
        }

        private void batch(boolean isHeld) throws SQLException {
            OptionalLong number = job.batch();
            Optional<BatchInfo> batch = number.isEmpty() ? Optional.empty() : batches.find(number.getAsLong());
            if (batch.isEmpty()) {
                return;
            }
            String name = "batch " + batch.get().id();
            long id = batch.get().id();
            if (batch.get().stoppedAt() != null) {
                add(
                        Cause.BATCH_STOPPED,
                        "too many jobs of " + name + " have failed: its waiting jobs will be cancelled soon",
                        null,
                        id);
            } else if (batch.get().pausedAt() != null) {
                add(Cause.BATCH_PAUSED, name + " is paused", null, id);
            } else if (isHeld && batch.get().canary() > 0) {
                add(Cause.BATCH_CANARY, "the first jobs of " + name + " have not completed", null, id);
            } else if (isHeld) {
                add(Cause.BATCH_PAUSED, name + " was paused, and releases its jobs within seconds", null, id);
            }
        }

        private void expiry() {
            job.expiresAt()
                    .filter(end -> !end.isAfter(now))
                    .ifPresent(
                            end -> add(Cause.EXPIRED, "it has expired: it will be cancelled instead of run", null, ""));
        }

        private void workflow() throws SQLException {
            if (job.state() != JobState.PENDING) {
                return;
            }
            OptionalLong id = job.batch().isEmpty()
                    ? OptionalLong.empty()
                    : workflows.of(job.batch().getAsLong());
            Optional<WorkflowInfo> workflow = id.isEmpty() ? Optional.empty() : workflows.find(id.getAsLong());
            String open = workflow.stream()
                    .flatMap(all -> all.nodes().stream())
                    .filter(node -> node.jobs().id() == job.batch().orElse(0))
                    .flatMap(node -> node.after().stream())
                    .filter(after -> !after.isMet())
                    .map(after -> after.node() + (hasFailed(workflow, after) ? " (which has failed)" : ""))
                    .limit(SHOWN_NODES + 1L)
                    .collect(Collectors.collectingAndThen(Collectors.toList(), WaitReasons::some));
            add(
                    Cause.WORKFLOW_PENDING,
                    "other jobs of its workflow come first" + (open.isEmpty() ? "" : ": those of node " + open),
                    null,
                    id.isEmpty() ? "" : id.getAsLong());
        }

        private void later(Instant due) {
            JobStep waiting = stepThatWaits();
            if (waiting != null && waiting.kind() == JobStep.Kind.SIGNAL) {
                add(Cause.SIGNAL, "its handler waits for the signal '" + waiting.name() + "'", due, waiting.name());
            } else if (waiting != null) {
                add(Cause.SCHEDULED, "its handler sleeps ('" + waiting.name() + "')", due, "");
            } else if (job.attempt() > 0) {
                add(
                        Cause.RETRY,
                        "its next attempt, " + (job.attempt() + 1) + " of " + job.maxAttempts() + ", is due later",
                        due,
                        "");
            } else {
                add(Cause.SCHEDULED, "it is scheduled for later", due, "");
            }
        }

        private @Nullable JobStep stepThatWaits() {
            try {
                return database.autocommit(connection -> steps.list(connection, job.id())).stream()
                        .filter(step -> step.state() == JobStep.State.WAITING)
                        .findFirst()
                        .orElse(null);
            } catch (SQLException e) {
                return null; // then it is reported as scheduled, which is also true
            }
        }

        private void key(List<LimitInfo> limited, boolean isLater) throws SQLException {
            String key = job.key().orElse(null);
            if (key == null || job.state() != JobState.BLOCKED) {
                return;
            }
            KeyState standing =
                    database.autocommit(connection -> KeyState.read(connection, dialect, job.queue(), key, job.id()));
            if (standing.hold() != null) {
                found.add(WaitReason.ofOutage(Cause.KEY_OUTAGE, "its key", standing.hold(), now, key));
            }
            if (isLater) {
                return;
            }
            Limit ofKeys = limited.stream()
                    .map(LimitInfo::limit)
                    .filter(limit -> limit.subject().equals(Subject.keysOf(job.queue())))
                    .findFirst()
                    .orElse(Limit.keysOf(job.queue()));
            boolean oneAtOnce = ofKeys.together() != null || standing.hold() != null;
            int most = oneAtOnce || ofKeys.atOnce() == null ? 1 : ofKeys.atOnce();
            int before = standing.before().size();
            if (standing.inFlight().size() >= most) {
                add(
                        Cause.KEY_BLOCKED,
                        "job " + standing.inFlight().get(0) + " of its key runs before it" + others(before),
                        null,
                        standing.inFlight().get(0));
            } else if (before > 0) {
                add(
                        Cause.KEY_BLOCKED,
                        "job " + standing.before().get(0) + " of its key comes before it" + others(before - 1),
                        null,
                        standing.before().get(0));
            }
            if (standing.nextStart() != null && ofKeys.rate() != null) {
                add(Cause.KEY_RATE, "the rate of its key is used up", standing.nextStart(), key);
            }
            if (found.stream().noneMatch(reason -> isOfKey(reason.cause()))) {
                add(
                        Cause.KEY_RELEASE,
                        "it is the next job of its key, which a worker of queue " + job.queue() + " has to release",
                        null,
                        key);
            }
        }

        private void workers() throws SQLException {
            List<WorkerInfo> ofQueue = database.autocommit(workers::list).stream()
                    .filter(worker -> worker.alive() && worker.queues().contains(job.queue()))
                    .toList();
            List<WorkerInfo> ofKind = ofQueue.stream()
                    .filter(worker -> worker.kinds().contains(job.kind()))
                    .toList();
            List<WorkerInfo> claiming = ofKind.stream()
                    .filter(worker -> worker.command() == WorkerCommand.WORK)
                    .toList();
            if (ofQueue.isEmpty()) {
                add(Cause.QUEUE_WITHOUT_WORKER, "no live worker claims from queue " + job.queue(), null, job.queue());
            } else if (ofKind.isEmpty()) {
                add(
                        Cause.KIND_WITHOUT_WORKER,
                        "no live worker of queue " + job.queue() + " handles kind " + job.kind(),
                        null,
                        job.kind());
            } else if (claiming.isEmpty()) {
                add(Cause.WORKERS_QUIET, "all workers that handle it have been told not to claim jobs", null, "");
            } else if (claiming.stream().allMatch(worker -> worker.running() >= worker.concurrency())) {
                add(Cause.WORKERS_BUSY, "all workers that handle it are busy", null, "");
            }
        }

        private void position() throws SQLException {
            OptionalLong ahead = line.ahead(job.id());
            if (ahead.orElse(0) > 0) {
                boolean isMore = ahead.getAsLong() >= QueuePosition.MOST;
                add(
                        Cause.QUEUE_POSITION,
                        (isMore ? "at least " : "") + jobs(ahead.getAsLong()) + " of queue " + job.queue()
                                + (ahead.getAsLong() == 1 ? " is" : " are") + " before it",
                        null,
                        job.queue());
            }
        }
    }

    private static boolean isOfKey(Cause cause) {
        return cause == Cause.KEY_OUTAGE || cause == Cause.KEY_BLOCKED || cause == Cause.KEY_RATE;
    }

    private static boolean hasFailed(Optional<WorkflowInfo> workflow, WorkflowNode.After after) {
        return workflow.flatMap(all -> all.node(after.node()))
                .map(WorkflowNode::jobs)
                .filter(jobs -> jobs.isDone() && !jobs.isSuccess())
                .isPresent();
    }

    private static String some(List<String> names) {
        return names.size() <= SHOWN_NODES
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, SHOWN_NODES)) + " and others";
    }

    private static String jobs(long number) {
        return String.format(Locale.ROOT, "%,d job%s", number, number == 1 ? "" : "s");
    }

    private static String others(int before) {
        return before == 0 ? "" : ", and " + (before >= KeyState.MOST ? "at least " : "") + jobs(before) + " more";
    }
}
