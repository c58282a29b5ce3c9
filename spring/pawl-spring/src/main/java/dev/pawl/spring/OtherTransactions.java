package dev.pawl.spring;

/**
 * How to treat an enqueue within a Spring transaction that is not on the queue's {@code DataSource}, so that the job
 * cannot commit with it.
 */
public enum OtherTransactions {
    /** The enqueue fails with an explanation. */
    REFUSE,
    /** The job commits separately, even if the transaction is rolled back; the first case is logged. */
    WARN,
    /** The job commits separately. */
    ALLOW
}
