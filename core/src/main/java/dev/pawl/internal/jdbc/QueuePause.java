package dev.pawl.internal.jdbc;

/** How statements ask whether a queue is paused, in one place: by itself, or because all queues are. */
public final class QueuePause {
    /** The name of the row that pauses all queues; no queue can have it. */
    public static final String ALL = "*";

    private QueuePause() {}

    /**
     * {@return a condition: no pause keeps workers from a queue}
     *
     * @param queue an expression for its name
     */
    public static String isOpen(String queue) {
        return "NOT EXISTS (SELECT 1 FROM pawl_queue q WHERE q.name IN (" + queue + ", '" + ALL
                + "') AND q.paused_at IS NOT NULL)";
    }
}
