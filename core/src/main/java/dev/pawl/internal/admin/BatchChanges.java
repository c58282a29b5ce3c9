package dev.pawl.internal.admin;

import dev.pawl.JobState;
import dev.pawl.admin.CancelResult;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlBatches.Chore;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.settle.Aftermath;
import dev.pawl.internal.settle.KeptStates;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done to all jobs of a batch: page by page, each job in a transaction of its own. */
public final class BatchChanges {
    private static final Logger LOG = LoggerFactory.getLogger(BatchChanges.class);
    private static final int PAGE = 500;
    private static final int MOST_RETRIES = 50;

    private final Database database;
    private final SqlBatches batches;
    private final SqlWorkflows workflows;
    private final Interventions interventions;
    private final Finders finders;

    /**
     * @param database the pool and the dialect
     * @param batches as rows
     * @param workflows as rows
     * @param interventions what people do to single jobs
     */
    BatchChanges(Database database, SqlBatches batches, SqlWorkflows workflows, Interventions interventions) {
        this.workflows = workflows;
        this.finders = new Finders(database.dialect());
        this.database = database;
        this.batches = batches;
        this.interventions = interventions;
    }

    /**
     * For workers.
     *
     * @param database the pool and the dialect
     * @param batches as rows
     * @param workflows as rows
     * @param kept whether cancelled jobs are kept
     * @param aftermath what is written besides when jobs end
     * @return the same
     */
    public static BatchChanges of(
            Database database, SqlBatches batches, SqlWorkflows workflows, KeptStates kept, Aftermath aftermath) {
        Interventions impatient = new Interventions(database.dialect(), kept, aftermath.impatient());
        return new BatchChanges(database, batches, workflows, impatient);
    }

    /**
     * Cancels what waits in batches of which too many jobs have failed, and in nodes of workflows that are not to run any more;
     * lets go what waits in batches whose first jobs have completed, and the rest of nodes' jobs. What cannot be done now is left to be
     * done, by this worker or another one.
     *
     * @throws SQLException if the database is not available
     */
    public void doChores() throws SQLException {
        Chore last = Chore.NONE;
        List<Chore> page;
        do {
            page = batches.chores(last);
            for (Chore chore : page) {
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
                tryOne(chore);
                last = chore;
            }
        } while (page.size() == SqlBatches.CHORES);
    }

    private void tryOne(Chore chore) throws SQLException {
        try {
            doOne(chore);
        } catch (SQLException e) {
            Fault fault = Fault.of(e);
            if (fault == Fault.UNREACHABLE || fault == Fault.SHORTAGE) { // else the others need not wait for this one
                throw e;
            }
            LOG.warn(
                    "cannot cancel or let go what waits in batch {} now, trying again: {}",
                    chore.batch(),
                    e.getMessage());
        }
    }

    private void doOne(Chore chore) throws SQLException {
        if (chore.ofNode()) {
            doForNode(chore);
        } else if (batches.isToLetGo(chore)) {
            if (batches.holds().passed(chore.batch())) {
                batches.letGo(chore.batch());
            }
        } else {
            SqlBatches.Progress before = batches.progress(chore.batch());
            if (findsNothingToCancel(chore.batch())) {
                batches.cancelled(chore.batch(), before);
            }
        }
    }

    private void doForNode(Chore chore) throws SQLException {
        if (!workflows.isToCancel(chore)) {
            workflows.letGo(chore);
        } else if (findsNothingToCancel(chore.batch())) {
            workflows.done(chore);
        }
    }

    /** {@return whether nothing waited there any more; else all of it was cancelled, or somebody else sees to it, and it is to be asked again} */
    private boolean findsNothingToCancel(long batch) throws SQLException {
        boolean nothing = true;
        long lastInner = 0;
        List<Long> inner;
        do {
            inner = batches.within(batch, lastInner, PAGE);
            for (long each : inner) {
                nothing &= findsNothingToCancel(each);
                lastInner = each;
            }
        } while (!inner.isEmpty() && !Thread.currentThread().isInterrupted());
        long last = 0;
        List<Long> page;
        do {
            page = batches.jobs(batch, last, PAGE);
            for (long job : waiting(page)) {
                if (Thread.currentThread().isInterrupted()) {
                    return false;
                }
                CancelResult unused = cancelOne(job);
                nothing = false;
            }
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (!page.isEmpty());
        return nothing;
    }

    /**
     * Cancels all jobs of a workflow, those that come last first, so that none is let go meanwhile.
     *
     * @return how many were cancelled or asked to stop
     */
    long cancelWorkflow(long workflow) throws SQLException {
        List<Long> nodes = workflows.nodes(workflow);
        long cancelled = 0;
        for (int place = nodes.size() - 1; place >= 0; place--) {
            cancelled += cancel(nodes.get(place));
        }
        return cancelled;
    }

    /**
     * Cancels all jobs of a batch and of those within; those that run are asked to stop.
     *
     * @return how many were cancelled or asked to stop
     */
    long cancel(long batch) throws SQLException {
        long cancelled = 0;
        long lastInner = 0;
        List<Long> inner;
        do {
            inner = batches.within(batch, lastInner, PAGE);
            for (long each : inner) {
                cancelled += cancel(each);
                lastInner = each;
            }
        } while (!inner.isEmpty() && !Thread.currentThread().isInterrupted());
        long last = 0;
        List<Long> page;
        do {
            page = batches.jobs(batch, last, PAGE);
            for (long job : page) {
                if (Thread.currentThread().isInterrupted()) {
                    return cancelled;
                }
                CancelResult result = cancelOne(job);
                cancelled += result == CancelResult.CANCELLED || result == CancelResult.REQUESTED ? 1 : 0;
            }
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (!page.isEmpty());
        return cancelled;
    }

    private List<Long> waiting(List<Long> jobs) throws SQLException {
        return database.autocommit(connection -> finders.states(connection, jobs)).entrySet().stream()
                .filter(job -> job.getValue() == JobState.AVAILABLE)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A claim was faster, and is visible now. */
    private CancelResult cancelOne(long job) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return database.transaction(connection -> interventions.cancel(connection, job));
            } catch (SQLException e) {
                if (tries == MOST_RETRIES || Fault.of(e) != Fault.UNIQUE) {
                    throw e;
                }
            }
        }
    }
}
