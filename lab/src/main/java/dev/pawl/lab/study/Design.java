package dev.pawl.lab.study;

/**
 * One configuration of the study, under the study's own name.
 *
 * @param name such as {@code DBP-0-0-5}: delete mark, fetch before delete, tries of the delete; or {@code DBO-1}: window
 * @param optimistic read without a lock and take with the version, or lock and take
 * @param window how many jobs are looked at; one of them is taken at random
 * @param deleteMark a finished job is marked first, so that it does not run again if its delete fails
 * @param fetch the row is read and locked before it is deleted
 * @param tries of the delete; zero is a plain delete without a transaction
 * @param index on the table
 * @param skipLocked claims pass by locked rows, as the successors of the study's queue do
 */
public record Design(
        String name,
        boolean optimistic,
        int window,
        boolean deleteMark,
        boolean fetch,
        int tries,
        Index index,
        boolean skipLocked) {
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
        return new Design(name, false, 1, deleteMark, fetch, tries, Index.QUEUE, false);
    }

    /** {@return an optimistic one: {@code DBO-0} takes the first, {@code DBO-1} one of as many as there are workers} */
    public static Design optimistic(int window) {
        return new Design(window == 1 ? "DBO-0" : "DBO-1", true, window, false, false, 1, Index.QUEUE, false);
    }

    /** {@return the same with another index} */
    public Design index(Index other) {
        String suffix = switch (other) {
            case NONE -> "-noindex";
            case LEGACY_54 -> "-index54";
            case QUEUE -> "";
        };
        return new Design(name + suffix, optimistic, window, deleteMark, fetch, tries, other, skipLocked);
    }

    /** {@return the same with claims that pass by locked rows} */
    public Design skippingLocked() {
        return new Design(name + "-skip", optimistic, window, deleteMark, fetch, tries, index, true);
    }
}
