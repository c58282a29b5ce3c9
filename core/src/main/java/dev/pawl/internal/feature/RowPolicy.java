package dev.pawl.internal.feature;

/** What happens to linked rows in a transition. */
public sealed interface RowPolicy {
    /**
     * They are deleted in the same transaction.
     *
     * @param order before or after the row of their job
     */
    record Delete(Order order) implements RowPolicy {}

    /** They stay. */
    record Keep() implements RowPolicy {}

    /**
     * The feature has statements of its own for them, which run before the row of the job is deleted.
     *
     * @param removal runs them
     */
    record Own(RowRemoval removal) implements RowPolicy {}

    /** When linked rows are deleted. It is part of the order in which transactions lock rows. */
    enum Order {
        /** Before the row of the job. */
        BEFORE_JOB,
        /** After the row of the job. */
        AFTER_JOB
    }
}
