package dev.pawl.lab.study;

/**
 * One configuration of the study, under the study's own name.
 *
 * @param name such as {@code DBP-0-0-5}: delete mark, fetch before delete, tries of the delete; or {@code DBO-1}: window
 * @param optimistic read without a lock and take with the version, or lock and take
 * @param window how many jobs are looked at; one of them is taken
 * @param pick which one
 * @param deleteMark a finished job is marked first, so that it does not run again if its delete fails
 * @param fetch the row is read and locked before it is deleted
 * @param tries of the delete; zero is a plain delete without a transaction
 * @param index on the table
 * @param skipLocked claims pass by locked rows, as the successors of the study's queue do
 * @param cloneProbability with which probability a job enqueues one like itself when it runs, from 0 to below 1
 */
public record Design(
        String name,
        boolean optimistic,
        int window,
        Pick pick,
        boolean deleteMark,
        boolean fetch,
        int tries,
        Index index,
        boolean skipLocked,
        double cloneProbability) {
    /** Which job of a window is taken. */
    public enum Pick {
        /** The oldest. */
        FIRST,
        /** Any, with equal chance. */
        UNIFORM,
        /** Each, starting with the oldest, with a chance of one third; if none was picked, the oldest. */
        EXPONENTIAL
    }

    /** What the claims read by. */
    public enum Index {
        /** None: every claim reads from the start of the table. */
        NONE,
        /** Of newer versions: {@code (queue)}. */
        QUEUE,
        /** Of versions up to 5.4: {@code (queue, reserved_at)}, a column that every claim changes. */
        LEGACY_54
    }

    /** {@return a pessimistic one: {@code DBP-<mark>-<fetch>-<tries>}} */
    public static Design pessimistic(boolean deleteMark, boolean fetch, int tries) {
        String name = "DBP-" + (deleteMark ? 1 : 0) + "-" + (fetch ? 1 : 0) + "-" + tries;
        return new Design(name, false, 1, Pick.FIRST, deleteMark, fetch, tries, Index.QUEUE, false, 0);
    }

    /**
     * {@return an optimistic one, {@code DBO-<window strategy>}}
     *
     * @param strategy the study's number: 0 the first; 1 any of as many as there are workers; 2 the same, picked
     *     exponentially; 5 and 6 as 1 and 2 over half as many. (Its 9 and 10 were meant to double the window, and halved it
     *     too.)
     * @param workers how many there are
     */
    public static Design optimistic(int strategy, int workers) {
        Pick pick = switch (strategy) {
            case 0 -> Pick.FIRST;
            case 1, 5 -> Pick.UNIFORM;
            case 2, 6 -> Pick.EXPONENTIAL;
            default -> throw new IllegalArgumentException("window strategy " + strategy + ": use 0, 1, 2, 5 or 6");
        };
        int window = strategy == 0 ? 1 : Math.max(1, strategy > 2 ? workers / 2 : workers);
        return new Design("DBO-" + strategy, true, window, pick, false, false, 1, Index.QUEUE, false, 0);
    }

    /** {@return the same with another index} */
    public Design index(Index other) {
        String suffix = switch (other) {
            case NONE -> "-noindex";
            case LEGACY_54 -> "-index54";
            case QUEUE -> "";
        };
        return new Design(
                name + suffix, optimistic, window, pick, deleteMark, fetch, tries, other, skipLocked, cloneProbability);
    }

    /** {@return the same with claims that skip locked rows} */
    public Design skippingLocked() {
        return new Design(
                name + "-skip", optimistic, window, pick, deleteMark, fetch, tries, index, true, cloneProbability);
    }

    /** {@return the same with jobs that enqueue others} */
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
                index,
                skipLocked,
                probability);
    }
}
