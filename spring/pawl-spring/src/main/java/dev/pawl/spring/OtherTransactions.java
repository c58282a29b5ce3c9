package dev.pawl.spring;

/**
 * What becomes of an enqueue within a transaction of Spring's that is not on the queue's {@code DataSource}, so that the job
 * cannot commit with it.
 */
public enum OtherTransactions {
    /** It fails, and says why. */
    REFUSE,
    /** The job commits by itself, even if the transaction is rolled back; the first is reported in the log. */
    WARN,
    /** The job commits by itself. */
    ALLOW
}
