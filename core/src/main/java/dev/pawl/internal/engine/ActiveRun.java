package dev.pawl.internal.engine;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.RunSteps;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.StoredText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The run as its handler sees it. */
final class ActiveRun implements JobRun {
    private static final int LONGEST_WORKER = 200;

    private final HeldJob held;
    private final Transactions transactions;
    private final RunLog log;
    private final JobStore store;
    private final Results results;
    private final boolean takesSteps;
    /**
     * The number of log lines of this run. It is not kept per job, because a thread that the handler left behind may still log during a
     * later run.
     */
    private final AtomicInteger lines = new AtomicInteger();

    /** Null until used: most runs take no steps. */
    private @Nullable RunSteps steps;

    /** The connection of the transaction in which the whole handler runs; null if there is no such transaction. */
    private volatile @Nullable Connection open;

    /**
     * @param takesSteps whether the handler is called for this job alone: otherwise steps are not supported
     */
    ActiveRun(
            HeldJob held, Transactions transactions, RunLog log, JobStore store, Results results, boolean takesSteps) {
        this.held = held;
        this.transactions = transactions;
        this.log = log;
        this.store = store;
        this.results = results;
        this.takesSteps = takesSteps;
    }

    /** The handler runs inside this connection's transaction. */
    void isWithin(Connection connection) {
        open = connection;
    }

    @Override
    public synchronized RunSteps steps() {
        if (!takesSteps) {
            throw new UnsupportedOperationException("job " + held.job().id() + " of kind '"
                    + held.job().kind()
                    + "' is handled in a chunk, and takes no steps: one that waits would end the call for all. Use handle(…), or"
                    + " enqueue a job for what is to follow");
        }
        RunSteps known = steps;
        if (known == null) {
            known = new ActiveSteps(held, transactions, store, results.codec());
            steps = known;
        }
        return known;
    }

    @Override
    public Job job() {
        return held.job();
    }

    @Override
    public int attempt() {
        return held.job().attempt();
    }

    @Override
    public boolean isLastAttempt() {
        return held.job().attempt() >= held.job().maxAttempts();
    }

    @Override
    public long leaseToken() {
        return held.lease().token();
    }

    @Override
    public Optional<Duration> timeLeft() {
        return Optional.ofNullable(held.timeLeft());
    }

    @Override
    public boolean isCancelled() {
        return held.stopped() != null;
    }

    @Override
    public boolean isStopping() {
        return held.isStopping();
    }

    @Override
    public void progress(int percent) {
        held.progress(Math.max(0, Math.min(100, percent)));
    }

    @Override
    public void log(String line) {
        if (lines.getAndIncrement() < RunLog.MAX_PER_RUN) {
            log.add(held.job(), line);
        }
    }

    @Override
    public void result(Object value) {
        held.result(results.encoded(held.job(), value));
    }

    @Override
    public void assignedTo(String worker) {
        if (worker.length() > LONGEST_WORKER) {
            throw new IllegalArgumentException("the name of a worker has " + worker.length()
                    + " characters, the maximum is " + LONGEST_WORKER + ": shorten it");
        }
        StoredText.require("the name of a worker", worker);
        try {
            if (!held.strategy().detach(held.lease()) || !store.assign(held.lease(), worker)) {
                throw new LeaseLostException(held.job().id(), held.lease().token());
            }
        } catch (SQLException e) {
            throw new DatabaseException("cannot note who runs job " + held.job().id(), e, store.isTransient(e));
        }
    }

    @Override
    public void transaction(TransactionWork work) throws Exception {
        Connection around = open;
        if (around != null) {
            work.run(around);
        } else {
            transactions.run(held, work);
        }
    }
}
