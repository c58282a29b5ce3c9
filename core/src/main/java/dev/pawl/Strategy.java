package dev.pawl;

import java.util.Locale;

/** How workers take jobs from a queue without getting in each other's way. The promises are the same for each. */
public sealed interface Strategy {
    /** The best one for the database: {@link SkipLocked} where it works, on SQLite {@link Immediate}. The default. */
    Strategy AUTO = new Auto();
    /** See {@link SkipLocked}. */
    Strategy SKIP_LOCKED = new SkipLocked();
    /** See {@link Immediate}. */
    Strategy IMMEDIATE = new Immediate();

    /** Lets the database decide. */
    record Auto() implements Strategy {
        @Override
        public String toString() {
            return "auto";
        }
    }

    /**
     * Locks the first free rows and passes by those that others have locked. PostgreSQL, MySQL from 8.0.1, MariaDB from
     * 10.6. Workers never wait for each other.
     */
    record SkipLocked() implements Strategy {
        @Override
        public String toString() {
            return "skip-locked";
        }
    }

    /** SQLite: the one writer that there can be claims in a transaction that takes the write lock first. */
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
     * @param window how many jobs are looked at, 1 to 10,000; about the number of workers. Never less than the batch
     * @param pick which of them are tried
     */
    record Optimistic(int window, Pick pick) implements Strategy {
        /**
         * @throws InvalidJobException if the window is outside its range
         */
        public Optimistic {
            if (window < 1 || window > 10_000) {
                throw new InvalidJobException("window " + window + " is not valid: use 1 to 10000");
            }
        }

        @Override
        public String toString() {
            return "optimistic (window " + window + ", " + pick.name().toLowerCase(Locale.ROOT) + ")";
        }
    }

    /** Which jobs of an optimistic window are tried. */
    enum Pick {
        /** The oldest: strict order, most collisions. */
        FIRST,
        /** Any, with equal chance: few collisions, order within the window given up. */
        UNIFORM
    }

    /**
     * @param window how many jobs are looked at
     * @param pick which of them are tried
     * @return the optimistic strategy
     */
    static Strategy optimistic(int window, Pick pick) {
        return new Optimistic(window, pick);
    }
}
