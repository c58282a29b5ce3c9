package dev.pawl.internal.feature;

/** What becomes of linked rows when their job is taken away. */
public sealed interface RowPolicy {
    /**
     * They are deleted in the same transaction.
     *
     * @param order before or after the row of their job
     */
    record Delete(Order order) implements RowPolicy {}

    /**
     * They stay.
     *
     * @param reason why, and what deletes them if anything does
     */
    record Keep(String reason) implements RowPolicy {}

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

    /** {@return the policy of rows that nothing needs without their job} */
    static RowPolicy delete() {
        return new Delete(Order.BEFORE_JOB);
    }

    /** {@return the policy of rows that are deleted after the row of their job} */
    static RowPolicy deleteAfterJob() {
        return new Delete(Order.AFTER_JOB);
    }

    /** {@return the policy of rows that stay, for this reason} */
    static RowPolicy keep(String reason) {
        return new Keep(reason);
    }
}
