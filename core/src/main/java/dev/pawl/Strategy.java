package dev.pawl;

import dev.pawl.admin.JobAdmin;
import java.util.Locale;

/**
 * How workers take jobs from a queue without getting in each other's way. The promises are the same for each. Set for a
 * queue with {@link JobAdmin#setStrategy}, or for a worker with {@link WorkerBuilder#strategy}.
 */
public sealed interface Strategy {
    /** What is best: {@link Lanes}. The default. */
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

    /** Leaves it to Pawl. */
    record Auto() implements Strategy {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /**
     * Jobs that need no row of their own (due now, no unique key) are written once and claimed up to a thousand at a time
     * by one row that names them; all others are claimed like {@link Rows}. Several times faster than any other
     * strategy, and a snapshot that somebody holds open does not slow it down.
     */
    record Lanes() implements Strategy {
        @Override
        public String toString() {
            return "lanes";
        }
    }

    /**
     * Each job has a row of its own in {@code pawl_job}, claimed as suits the database: {@link SkipLocked} where it works, on
     * SQLite {@link Immediate}, else {@link Optimistic}. For queues whose rows other programs read, and whose jobs mostly fail
     * or open transactions.
     */
    record Rows() implements Strategy {
        @Override
        public String toString() {
            return "rows";
        }
    }

    /**
     * Locks the first free rows and skips those that others have locked. PostgreSQL, MySQL from 8.0.1, MariaDB from
     * 10.6. Workers never wait for each other.
     */
    record SkipLocked() implements Strategy {
        @Override
        public String toString() {
            return "skip-locked";
        }
    }

    /** For SQLite, which has one writer at a time: a claim is a transaction that takes the write lock first. */
    record Immediate() implements Strategy {
        @Override
        public String toString() {
            return "immediate";
        }
    }

    /**
     * Reads a window of jobs without a lock, then takes each with a conditional update. Holds no transaction and no
     * connection in between, so it cannot deadlock and suits clusters with several writers; costs a statement per job,
     * and claims are lost to others when the window is small.
     *
     * @param window how many jobs to look at, 1 to 10,000; about the number of workers. Never less than the batch.
     *     {@link #FOLLOW_WORKERS}: a batch for each live worker of the database
     * @param pick which of them are tried
     */
    record Optimistic(int window, Pick pick) implements Strategy {
        /** A window that grows and shrinks with the number of live workers. */
        public static final int FOLLOW_WORKERS = 0;

        /**
         * @throws InvalidJobException if the window is outside its range
         */
        public Optimistic {
            if (window < 0 || window > 10_000) {
                throw new InvalidJobException(
                        "window " + window + " is not valid: use 1 to 10000, or 0 to follow the live workers");
            }
        }

        @Override
        public String toString() {
            return "optimistic:window=" + (window == FOLLOW_WORKERS ? "workers" : window) + ",pick="
                    + pick.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Which jobs of an optimistic window are tried, one after the other. */
    enum Pick {
        /** The oldest: strict order, most collisions. */
        FIRST,
        /** Any, with equal chance: few collisions, no order within the window. */
        UNIFORM,
        /**
         * Starting with the oldest, each with a chance of one third; the oldest if none was picked. Between the other
         * two: mostly in order, with collisions spread over the first few.
         */
        EXPONENTIAL
    }

    /**
     * Locks the first free rows and waits while others have them locked: strictly first in, first out across all
     * workers, which queue up for each claim. Needs nothing newer than {@code FOR UPDATE}.
     *
     * @param deleteRetry how often the completion of jobs is tried again at once after a deadlock, 0 to 100; after that
     *     it is tried again with growing waits until the lease is over
     * @param deleteMark completion only marks the job, which takes a single row lock and so cannot be part of a
     *     deadlock; marked jobs never run again, and a sweep moves them to the history within about a second. Until
     *     then their unique key is still taken
     */
    record Pessimistic(int deleteRetry, boolean deleteMark) implements Strategy {
        /**
         * @throws InvalidJobException if the number is outside its range
         */
        public Pessimistic {
            if (deleteRetry < 0 || deleteRetry > 100) {
                throw new InvalidJobException("delete-retry " + deleteRetry + " is not valid: use 0 to 100");
            }
        }

        @Override
        public String toString() {
            return "pessimistic:delete-retry=" + deleteRetry + ",delete-mark=" + (deleteMark ? "yes" : "no");
        }
    }

    /**
     * Runs the handler inside one transaction that locks the job's row and completes it: its writes and the completion
     * are one commit, and a run that does not complete is rolled back. {@link JobRun#transaction} gives the handler
     * that transaction's connection. The attempt is counted before that, in a commit of its own, so that a job that
     * kills its process still ends as discarded. While the transaction is open, the lock is the claim: when a process
     * dies, the database frees its jobs at once, and they run again within about four seconds, whatever the worker's
     * lease.
     *
     * <p>For short jobs that write to the same database: each running handler keeps a connection, and on SQLite one
     * runs at a time.
     */
    record Transactional() implements Strategy {
        @Override
        public String toString() {
            return "transactional";
        }
    }

    /**
     * @param window how many jobs are looked at
     * @param pick which of them are tried
     * @return the optimistic strategy
     */
    static Strategy optimistic(int window, Pick pick) {
        return new Optimistic(window, pick);
    }

    /**
     * Reads a strategy as {@code toString} writes it. Options may be left out: {@code auto}, {@code lanes},
     * {@code rows}, {@code skip-locked}, {@code immediate}, {@code transactional}, {@code optimistic:window=10,pick=uniform} ({@code window=workers} follows
     * the live workers and is the default; picks are {@code first}, {@code uniform} and {@code exponential}),
     * {@code pessimistic:delete-retry=5,delete-mark=no}.
     *
     * @param text the name, and options after a colon
     * @return the strategy
     * @throws InvalidJobException if there is no such strategy or option
     */
    static Strategy parse(String text) {
        return StrategyText.parse(text);
    }
}
