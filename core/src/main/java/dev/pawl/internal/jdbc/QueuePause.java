package dev.pawl.internal.jdbc;

/** The only place with the condition by which statements skip paused queues: the queue itself may be paused, or all queues. */
public final class QueuePause {
    /** The name of the row that pauses all queues; no queue can have it. */
    public static final String ALL = "*";

    private QueuePause() {}

    /**
     * {@return a condition: neither the queue nor all queues are paused}
     *
     * @param queue an expression for its name
     */
    public static String isOpen(String queue) {
        return "NOT EXISTS (SELECT 1 FROM pawl_queue q WHERE q.name IN (" + queue + ", '" + ALL
                + "') AND q.paused_at IS NOT NULL)";
    }
}
