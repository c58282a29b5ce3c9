package dev.pawl.api;

import java.util.Locale;

/**
 * How workers claim jobs of a queue. The guarantees are the same for all strategies. Set for a queue by
 * {@link dev.pawl.admin.QueueAdmin#setStrategy}, or for a worker by {@link dev.pawl.WorkerBuilder#strategy}.
 */
public sealed interface Strategy {
    /** The strategy of the queue (see {@link dev.pawl.admin.QueueAdmin#setStrategy}), or else {@link Lanes}. The default. */
    Strategy AUTO = new Auto();
    /** See {@link Lanes}. */
    Strategy LANES = new Lanes();
    /** See {@link Rows}. */
    Strategy ROWS = new Rows();
    /** See {@link SkipLocked}. */
    Strategy SKIP_LOCKED = new SkipLocked();
    /** See {@link Immediate}. */
    Strategy IMMEDIATE = new Immediate();
    /** See {@link Pessimistic}: five delete retries, no delete mark. */
    Strategy PESSIMISTIC = new Pessimistic(5, false);
    /** See {@link Transactional}. */
    Strategy TRANSACTIONAL = new Transactional();

    /** Leaves the choice to Pawl, see {@link #AUTO}. */
    record Auto() implements Strategy {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /**
     * Writes jobs that are due now and have no unique or concurrency key once, without rows in {@code pawl_job}. A claim takes up to a
     * thousand of them by writing one row that names their range. Claims all other jobs like {@link Rows}. Several times faster than the
     * other strategies, and not slowed down by old snapshots that other transactions hold open.
     */
    record Lanes() implements Strategy {
        @Override
        public String toString() {
            return "lanes";
        }
    }

    /**
     * Keeps each job in a row of its own in {@code pawl_job}, and claims as suits the database: {@link SkipLocked}
     * where it is available, {@link Immediate} on SQLite, otherwise {@link Optimistic}. For queues whose rows other
     * programs read, or whose jobs mostly fail or open transactions.
     */
    record Rows() implements Strategy {
        @Override
        public String toString() {
            return "rows";
        }
    }

    /**
     * Locks the first free rows and skips rows that others have locked, so workers never wait for each other.
     * PostgreSQL, MySQL from 8.0.1, MariaDB from 10.6.
     */
    record SkipLocked() implements Strategy {
        @Override
        public String toString() {
            return "skip-locked";
        }
    }

    /** Claims in a transaction that takes the write lock first. For SQLite, which has one writer at a time. */
    record Immediate() implements Strategy {
        @Override
        public String toString() {
            return "immediate";
        }
    }

    /**
     * Reads a window of jobs without a lock, then claims each with a conditional update. It holds no transaction and no
     * connection in between, so it cannot deadlock and suits clusters with several writers. It costs a statement per
     * job, and in a small window other workers often claim a job first.
     *
     * @param window how many jobs to read, 1 to 10,000. About the number of workers is a good value. A value below the batch is raised to
     *     the batch. {@link #FOLLOW_WORKERS} reads a batch for each live worker of the database
     * @param pick the order in which they are tried
     */
    record Optimistic(int window, Pick pick) implements Strategy {
        /** A window that follows the number of live workers. */
        public static final int FOLLOW_WORKERS = 0;

        /**
         * @throws IllegalArgumentException if the window is outside its range
         */
        public Optimistic {
            if (window < 0 || window > 10_000) {
                throw new IllegalArgumentException(
                        "window " + window + " is not valid: use 1 to 10000, or 0 to follow the live workers");
            }
        }

        @Override
        public String toString() {
            return "optimistic:window=" + (window == FOLLOW_WORKERS ? "workers" : window) + ",pick="
                    + pick.name().toLowerCase(Locale.ROOT);
        }
    }

    /** The order in which the jobs of an optimistic window are tried. */
    enum Pick {
        /** The oldest first: strict order, most collisions. */
        FIRST,
        /** Uniformly at random: few collisions, no order within the window. */
        UNIFORM,
        /**
         * For each try, goes through the remaining jobs from the oldest on and takes each with a probability of one third. Takes the oldest
         * if none was taken. The result is mostly the oldest first, with collisions spread over the first few jobs.
         */
        EXPONENTIAL
    }

    /**
     * Locks the first available rows and waits while other workers have locked them. The order is strictly first in, first out across all
     * workers, but the workers wait for each other's claims. Needs no syntax newer than {@code FOR UPDATE}.
     *
     * @param deleteRetry how often the completion of jobs is retried at once after a deadlock, 0 to 100; after that it is retried with
     *     growing delays until it succeeds or the lease is lost
     * @param deleteMark whether completion only marks the job. A mark takes a single row lock, so it cannot take part in a deadlock. Marked
     *     jobs never run again. Their unique keys are taken until a sweep moves them to the history, within about a second
     */
    record Pessimistic(int deleteRetry, boolean deleteMark) implements Strategy {
        /**
         * @throws IllegalArgumentException if the number is outside its range
         */
        public Pessimistic {
            if (deleteRetry < 0 || deleteRetry > 100) {
                throw new IllegalArgumentException("delete-retry " + deleteRetry + " is not valid: use 0 to 100");
            }
        }

        @Override
        public String toString() {
            return "pessimistic:delete-retry=" + deleteRetry + ",delete-mark=" + (deleteMark ? "yes" : "no");
        }
    }

    /**
     * Runs the handler in one transaction that locks the job's row and completes the job. The handler's writes and the completion commit
     * together, and a run that does not complete the job is rolled back. {@link JobRun#transaction} passes that transaction's connection.
     * The attempt is counted in an earlier commit, so that a job which kills its process in each attempt is discarded after the last one.
     * While the transaction is open, the row lock protects the claim: when a process dies, the database releases its jobs at once, and they
     * run again within about four seconds, regardless of the lease.
     *
     * <p>For short jobs that write to the same database: each running handler occupies a connection, and on SQLite one
     * handler runs at a time.
     */
    record Transactional() implements Strategy {
        @Override
        public String toString() {
            return "transactional";
        }
    }

    /**
     * Returns the optimistic strategy.
     *
     * @param window how many jobs to read
     * @param pick the order in which they are tried
     * @return the strategy
     */
    static Strategy optimistic(int window, Pick pick) {
        return new Optimistic(window, pick);
    }

    /**
     * Parses a strategy in the format of {@code toString}. Options may be left out: {@code auto}, {@code lanes},
     * {@code rows}, {@code skip-locked}, {@code immediate}, {@code transactional},
     * {@code optimistic:window=10,pick=uniform} ({@code window=workers} follows the live workers and is the default;
     * picks are {@code first}, {@code uniform} and {@code exponential}),
     * {@code pessimistic:delete-retry=5,delete-mark=no}.
     *
     * @param text the name, and options after a colon
     * @return the strategy
     * @throws IllegalArgumentException if there is no such strategy or option
     */
    static Strategy parse(String text) {
        return StrategyText.parse(text);
    }
}
