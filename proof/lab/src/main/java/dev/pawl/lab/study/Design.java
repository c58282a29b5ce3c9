package dev.pawl.lab.study;

/**
 * One configuration of the study, under the study's own name.
 *
 * @param name such as {@code DBP-0-0-5} with the values of delete mark, fetch and tries, or {@code DBO-1} with the window strategy
 * @param optimistic claims read without a lock, and reserve a job if its version is unchanged; if false, they lock what they read
 * @param window how many jobs are read, of which one is reserved
 * @param pick which of these is reserved
 * @param deleteMark a finished job is marked first, so that it does not run again if its delete fails
 * @param fetch the row is read and locked before it is deleted
 * @param tries attempts of the delete; zero is a plain delete without a transaction
 * @param skipLocked claims skip locked rows, as in the successors of the study's queue
 * @param reading how claims find jobs
 * @param cloneProbability probability that a job enqueues another one when it runs, from 0 to below 1
 */
public record Design(
        String name,
        boolean optimistic,
        int window,
        Pick pick,
        boolean deleteMark,
        boolean fetch,
        int tries,
        boolean skipLocked,
        Reading reading,
        double cloneProbability) {
    /** Which job of a window is reserved. */
    public enum Pick {
        /** The oldest. */
        FIRST,
        /** Any, with equal probability. */
        UNIFORM,
        /**
         * Goes from the oldest job to the newest, and picks each with a probability of one third until one is picked. If none was picked,
         * the oldest.
         */
        EXPONENTIAL
    }

    /** The index that claims use. */
    public enum Index {
        /** None: every claim reads from the start of the table. */
        NONE,
        /** Of newer versions: {@code (queue)}. */
        QUEUE,
        /** Of versions up to 5.4: {@code (queue, reserved_at)}, with a column that every claim changes. */
        LEGACY_54
    }

    /**
     * How claims find jobs.
     *
     * @param index of the table
     * @param forced the index is used even if the server prefers the primary key; only MySQL and MariaDB support that
     * @param analyzed the table's statistics are computed before workers begin; otherwise never
     * @param otherQueues two more queues are polled as well, one before and one after the jobs' queue, because the study's workers polled
     *     {@code high,default,low}; both are empty
     */
    public record Reading(Index index, boolean forced, boolean analyzed, boolean otherQueues) {
        /** As in the study. */
        static final Reading OF_THE_STUDY = new Reading(Index.QUEUE, true, true, true);
    }

    /** {@return a pessimistic design: {@code DBP-<mark>-<fetch>-<tries>}} */
    public static Design pessimistic(boolean deleteMark, boolean fetch, int tries) {
        String name = "DBP-" + (deleteMark ? 1 : 0) + "-" + (fetch ? 1 : 0) + "-" + tries;
        return new Design(name, false, 1, Pick.FIRST, deleteMark, fetch, tries, false, Reading.OF_THE_STUDY, 0);
    }

    /**
     * {@return an optimistic design, {@code DBO-<window strategy>}}
     *
     * @param strategy the study's number. 0 picks the first job. 1 picks any job of a window with as many jobs as there are workers. 2 has
     *     the same window and {@link Pick#EXPONENTIAL}. 5 and 6 are like 1 and 2, with half the window. (The study's 9 and 10 were meant to
     *     double the window, but halved it too.)
     * @param workers number of workers
     */
    public static Design optimistic(int strategy, int workers) {
        Pick pick = switch (strategy) {
            case 0 -> Pick.FIRST;
            case 1, 5 -> Pick.UNIFORM;
            case 2, 6 -> Pick.EXPONENTIAL;
            default -> throw new IllegalArgumentException("window strategy " + strategy + ": use 0, 1, 2, 5 or 6");
        };
        int window = strategy == 0 ? 1 : Math.max(1, strategy > 2 ? workers / 2 : workers);
        return new Design("DBO-" + strategy, true, window, pick, false, false, 1, false, Reading.OF_THE_STUDY, 0);
    }

    /** {@return a copy with another index} */
    public Design index(Index other) {
        String suffix = switch (other) {
            case NONE -> "-noindex";
            case LEGACY_54 -> "-index54";
            case QUEUE -> "";
        };
        return reading(suffix, new Reading(other, reading.forced(), reading.analyzed(), reading.otherQueues()));
    }

    /** {@return a copy with claims that skip locked rows} */
    public Design skippingLocked() {
        return new Design(
                name + "-skip", optimistic, window, pick, deleteMark, fetch, tries, true, reading, cloneProbability);
    }

    /** {@return a copy without a forced index} */
    public Design unforced() {
        return reading("-planner", new Reading(reading.index(), false, reading.analyzed(), reading.otherQueues()));
    }

    /** {@return a copy without statistics of the table} */
    public Design notAnalyzed() {
        return reading("-fresh", new Reading(reading.index(), reading.forced(), false, reading.otherQueues()));
    }

    /** {@return a copy with workers that poll one queue only} */
    public Design ofOneQueue() {
        return reading("-alone", new Reading(reading.index(), reading.forced(), reading.analyzed(), false));
    }

    private Design reading(String suffix, Reading other) {
        return new Design(
                name + suffix, optimistic, window, pick, deleteMark, fetch, tries, skipLocked, other, cloneProbability);
    }

    /** {@return a copy with jobs that enqueue others} */
    public Design cloning(double probability) {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("clone probability " + probability + ": use 0 to below 1");
        }
        return new Design(
                name + "-cl" + probability,
                optimistic,
                window,
                pick,
                deleteMark,
                fetch,
                tries,
                skipLocked,
                reading,
                probability);
    }
}
