package dev.pawl.internal.batch;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.feature.Notice;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the finished jobs of batches, and carries out the consequences, in the transaction that finishes the jobs. So a callback is
 * enqueued once, by the transaction that finishes the last job, even after a crash. All transactions lock rows of counts by descending id.
 * A batch has a greater id than its parent, so its count is locked before that of the parent.
 *
 * <p>The number of jobs is read from the list of jobs, and only when all known jobs have finished. When a job finishes, the jobs that it
 * has added to its own batch are committed, so they are counted here.
 */
public final class BatchCounts {
    static final int DONE = 1;
    static final int FAILED = 2;
    static final int SUCCESS = 4;

    /**
     * How long workers look for a pending action after a transaction has recorded one. The transaction usually commits within this time.
     * The regular read finds actions that are committed later.
     */
    private static final long MAX_COMMIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Enqueueing enqueueing;
    private final NextNodes nextNodes;
    private final Sql lock;
    private final Sql lockAtOnce;
    private final Sql canary;
    private final Sql exists;
    private final Sql share;
    private final LockRetry lockRetry = new LockRetry();
    private final Sql write;
    private final Sql members;
    private final Sql newMembers;
    private final Sql definition;
    private final Sql outer;
    private final StoppedBatches stopped;
    private final Notice notice;
    private volatile boolean actionsExpected;
    private volatile long expectedUntilNanos;

    /** Enqueues callbacks, and the jobs of workflows. */
    @FunctionalInterface
    public interface Enqueueing {
        /**
         * @param connection in a transaction
         * @param jobs the jobs to write
         * @throws SQLException from the driver
         */
        void enqueue(Connection connection, List<JobRequest> jobs) throws SQLException;
    }

    /**
     * @param dialect the product
     * @param enqueueing writes callbacks, and notifies workers
     * @param notice sent for jobs of workflows that are released
     */
    public BatchCounts(Dialect dialect, Enqueueing enqueueing, Notice notice) {
        this.enqueueing = enqueueing;
        this.notice = notice;
        this.stopped = new StoppedBatches(dialect);
        this.nextNodes = new NextNodes(dialect, new PendingJobs(dialect, notice));
        String read = """
                SELECT expected, known_jobs, known_to, completed, failed, cancelled, stop_percent, stop_after, fired, reported, pending_action,
                       CASE WHEN stopped_at IS NULL THEN 0 ELSE 1 END AS stopped,
                       COALESCE((SELECT h.canary FROM pawl_batch_pause h WHERE h.batch_id = pawl_batch_count.batch_id), 0) AS canary
                  FROM pawl_batch_count WHERE batch_id = ?\s""";
        lock = dialect.statement(read + dialect.forUpdate());
        lockAtOnce = dialect.statement(read + dialect.skipLocked());
        canary = dialect.statement("SELECT canary FROM pawl_batch_pause WHERE batch_id = ?");
        exists = dialect.statement("SELECT 1 FROM pawl_batch_count WHERE batch_id = ?");
        share = dialect.statement("SELECT 1 FROM pawl_batch WHERE id = ? " + dialect.shareSkipLocked());
        write = dialect.statement("""
                UPDATE pawl_batch_count
                   SET expected = ?, known_jobs = ?, known_to = ?, completed = ?, failed = ?, cancelled = ?, fired = ?, reported = ?, pending_action = ?,
                       stop_percent = ?,
                       stopped_at = CASE WHEN ? = 1 THEN COALESCE(stopped_at, %1$s) END,
                       done_at = CASE WHEN ? = 1 THEN COALESCE(done_at, %1$s) END
                 WHERE batch_id = ?
                """.formatted(dialect.now()));
        String counted =
                "SELECT COUNT(*), COALESCE(MAX(job_id), 0), (SELECT COUNT(*) FROM pawl_batch WHERE parent_id = ?)"
                        + " FROM pawl_batch_job WHERE batch_id = ?";
        members = dialect.statement(counted);
        newMembers = dialect.statement(counted + " AND job_id > ?");
        outer = dialect.statement("""
                SELECT c.batch_id, CASE WHEN c.stopped_at IS NULL THEN 0 ELSE 1 END
                  FROM pawl_batch b JOIN pawl_batch_count c ON c.batch_id = b.parent_id WHERE b.id = ?
                """);
        definition = dialect.statement("""
                SELECT b.parent_id, b.on_done, b.on_failed, b.on_success,
                       (SELECT COUNT(*) FROM pawl_batch_count p WHERE p.batch_id = b.parent_id AND p.done_at IS NULL) AS goes_on,
                       (SELECT COUNT(*) FROM pawl_edge e WHERE e.node_id = b.id) AS edges
                  FROM pawl_batch b WHERE b.id = ?
                """);
    }

    /** Expects pending actions: another program may have left some, or a worker has died before it ran them. */
    public void expectPendingActions() {
        expectedUntilNanos = System.nanoTime() + MAX_COMMIT_NANOS;
        actionsExpected = true;
    }

    /**
     * {@return whether batches may have pending actions} Stays true for two seconds after {@link #expectPendingActions}, because the
     * transaction that has recorded the action may not have committed yet.
     */
    public boolean arePendingActionsExpected() {
        boolean any = actionsExpected;
        if (any && System.nanoTime() - expectedUntilNanos >= 0) {
            actionsExpected = false;
        }
        return any;
    }

    /** {@return the stopped batches, none of whose jobs may start} */
    public StoppedBatches stopped() {
        return stopped;
    }

    /**
     * @param connection in the transaction that finishes the jobs
     * @param ended the changes of the counts, by batch
     * @param revived the jobs that were revived, by batch
     * @param isPatient whether to wait without a limit for a transaction that is sealing a batch
     * @throws dev.pawl.internal.settle.HookBusy if a batch is being sealed, and this does not wait
     * @throws SQLException from the driver
     */
    public void count(
            Connection connection, SortedMap<Long, Tally> ended, Map<Long, List<Long>> revived, boolean isPatient)
            throws SQLException {
        TreeMap<Long, Tally> open = new TreeMap<>(Comparator.reverseOrder());
        open.putAll(ended);
        for (long batch : revived.keySet()) {
            resumeOuter(connection, batch, open);
        }
        TreeMap<Long, Integer> nodes = new TreeMap<>();
        count(connection, open, nodes, isPatient);
        next(connection, nodes, revived);
    }

    /** Lets the stopped batches around a batch continue; otherwise they would cancel its revived jobs again. */
    private void resumeOuter(Connection connection, long batch, NavigableMap<Long, Tally> open) throws SQLException {
        record Outer(long id, boolean stopped) {}
        Optional<Outer> next = Optional.of(new Outer(batch, false));
        while (next.isPresent()) {
            next = outer.on(connection, next.get().id).first(row -> new Outer(row.getLong(1), row.getInt(2) == 1));
            next.filter(Outer::stopped).ifPresent(found -> open.merge(found.id, Tally.REVIVED, Tally::plus));
        }
    }

    private void count(
            Connection connection, NavigableMap<Long, Tally> open, SortedMap<Long, Integer> nodes, boolean isPatient)
            throws SQLException {
        while (!open.isEmpty()) {
            Map.Entry<Long, Tally> next = open.pollFirstEntry();
            Count count = isPatient ? lock(connection, next.getKey()) : lockUnlessSealing(connection, next.getKey());
            if (count != null) { // else it was pruned, and one of its jobs was retried
                count(connection, next.getKey(), count, next.getValue(), false, open, nodes);
            }
        }
    }

    /** Leaves an action to workers. Notifies the workers of all processes, because all of them may be suspended. */
    private void leave(Connection connection) throws SQLException {
        expectPendingActions();
        notice.send(connection, Set.of(WakeHub.ANYTHING));
    }

    /** Updates workflows, after all counts are locked; otherwise two such transactions could wait for each other. */
    private void next(Connection connection, SortedMap<Long, Integer> nodes, Map<Long, List<Long>> revived)
            throws SQLException {
        if (!(nodes.isEmpty() && revived.isEmpty()) && nextNodes.moved(connection, nodes, revived)) {
            leave(connection);
        }
    }

    /** Counts the jobs of a batch that was just sealed, which may be done at once. */
    void sealed(Connection connection, long batch) throws SQLException {
        TreeMap<Long, Tally> open = new TreeMap<>(Comparator.reverseOrder());
        TreeMap<Long, Integer> nodes = new TreeMap<>();
        Count count = lock(connection, batch);
        if (count != null) {
            count(connection, batch, count, Tally.NONE, true, open, nodes);
        }
        count(connection, open, nodes, true);
        next(connection, nodes, Map.of());
    }

    private void count(
            Connection connection,
            long batch,
            Count count,
            Tally ended,
            boolean seals,
            NavigableMap<Long, Tally> open,
            SortedMap<Long, Integer> nodes)
            throws SQLException {
        int before = count.pendingAction;
        count.add(ended);
        if (seals || (count.expected != null && count.ended() >= count.expected)) {
            countMembers(connection, batch, count);
        }
        count.stopIfNeeded();
        int fires = count.fires();
        int reports = count.reports();
        if (fires != 0 || reports != count.reported) {
            Definition definition = definition(connection, batch);
            Long parent = definition.parent;
            List<JobRequest> callbacks = new ArrayList<>();
            for (int bit : new int[] {FAILED, DONE, SUCCESS}) {
                String callback = definition.callback(bit);
                if ((fires & bit) != 0 && callback != null) {
                    callbacks.add(addressed(Callback.read(callback), batch, definition.parentGoesOn ? parent : null));
                }
            }
            if (!callbacks.isEmpty()) {
                enqueueing.enqueue(connection, callbacks); // before the jobs of its parent are counted
            }
            if (parent != null && reports != count.reported) {
                Tally change = tally(count.reported, -1).plus(tally(reports, 1));
                open.merge(parent, change, Tally::plus);
            }
            if (definition.leadsOn && reports != count.reported) {
                nodes.put(batch, reports);
            }
            count.fired |= fires;
            count.reported = reports;
        }
        if (count.hasPendingAction()) {
            if (before == 0) {
                leave(connection);
            }
            expectPendingActions();
        }
        if (count.stopped && !count.isDone()) {
            stopped.suspect(batch);
        } else {
            stopped.forget(batch);
        }
        write(connection, batch, count);
    }

    private static Tally tally(int reported, int times) {
        return reported == 0 ? Tally.NONE : Tally.of(JobState.ofCode(reported), times);
    }

    private static JobRequest addressed(JobRequest callback, long batch, @Nullable Long parent) {
        EnqueueOptions options =
                OwnOptions.header(callback.options(), ReservedHeaders.CALLBACK_OF, Long.toString(batch));
        if (parent != null) { // the parent is not done before the callback
            options = OwnOptions.batch(options, parent, true);
        }
        return new JobRequest(callback.kind(), callback.payload(), options);
    }

    /** The parent and the callbacks of a batch, whether the parent exists and is not done, and whether other nodes depend on the batch. */
    private record Definition(
            @Nullable Long parent,
            boolean parentGoesOn,
            boolean leadsOn,
            @Nullable String onDone,
            @Nullable String onFailed,
            @Nullable String onSuccess) {
        @Nullable
        String callback(int bit) {
            return bit == DONE ? onDone : bit == FAILED ? onFailed : onSuccess;
        }
    }

    private Definition definition(Connection connection, long batch) throws SQLException {
        return definition
                .on(connection, batch)
                .first(row -> new Definition(
                        JobRows.longOrNull(row, "parent_id"),
                        row.getLong("goes_on") > 0,
                        row.getLong("edges") > 0,
                        row.getString("on_done"),
                        row.getString("on_failed"),
                        row.getString("on_success")))
                .orElse(new Definition(null, false, false, null, null, null));
    }

    /**
     * Counts the jobs of a batch. If each job adds the next one, this method runs after each job. So it first counts only jobs with greater
     * ids than the last count found. If they show that the batch is not done, that is enough. Otherwise it counts all jobs, because jobs
     * with smaller ids may have been committed later.
     */
    private void countMembers(Connection connection, long batch, Count count) throws SQLException {
        Long known = count.knownJobs;
        if (known != null) {
            Members more = members(connection, batch, count.knownTo);
            count.know(known + more.jobs, Math.max(count.knownTo, more.last), more.batches);
            if (!count.isDone()) {
                return;
            }
        }
        Members all = members(connection, batch, Long.MIN_VALUE);
        count.know(all.jobs, all.last, all.batches);
    }

    /** The number of jobs after an id, the last of these jobs, and the number of all inner batches. */
    private record Members(long jobs, long last, long batches) {}

    private Members members(Connection connection, long batch, long after) throws SQLException {
        boolean all = after == Long.MIN_VALUE;
        Sql.Bound counted = all ? members.on(connection, batch, batch) : newMembers.on(connection, batch, batch, after);
        return counted.one(row -> new Members(row.getLong(1), row.getLong(2), row.getLong(3)));
    }

    private @Nullable Count lock(Connection connection, long batch) throws SQLException {
        return lock(connection, batch, lock);
    }

    /**
     * Locks a count, unless a caller's transaction has locked it in order to seal a batch. Transactions that finish jobs commit soon, so
     * this method waits a moment for their locks. A caller's transaction may hold the lock for long. It has locked the row of the batch
     * that it seals, too. So if this batch is being sealed, this method fails at once. If one of its inner batches is being sealed, this
     * method fails after the wait.
     */
    private @Nullable Count lockUnlessSealing(Connection connection, long batch) throws SQLException {
        Count count = lock(connection, batch, lockAtOnce);
        if (count != null || !exists.on(connection, batch).exists()) {
            return count;
        }
        if (!share.on(connection, batch).exists()) {
            throw LockRetry.busy(batch);
        }
        return lockRetry.lock(batch, () -> lock(connection, batch, lockAtOnce));
    }

    private @Nullable Count lock(Connection connection, long batch, Sql sql) throws SQLException {
        Count count = sql.on(connection, batch).first(Count::read).orElse(null);
        if (count != null
                && count.canary > 0) { // read again: the first jobs may have completed during the wait for the lock
            count.canary =
                    canary.on(connection, batch).first(row -> row.getInt(1)).orElse(0);
        }
        return count;
    }

    private void write(Connection connection, long batch, Count count) throws SQLException {
        write.on(
                        connection,
                        count.expected,
                        count.knownJobs,
                        count.knownJobs == null ? null : count.knownTo,
                        count.completed,
                        count.failed,
                        count.cancelled,
                        count.fired,
                        count.reported,
                        count.pendingAction,
                        count.stopPercent,
                        count.stopped ? 1 : 0,
                        count.isDone() ? 1 : 0,
                        batch)
                .run();
    }
}
