package dev.pawl.cli;

import dev.pawl.admin.QueueStats;
import org.jspecify.annotations.Nullable;

/** Queues in which as many jobs wait as may, by the rule that holds for all programs. */
final class FullQueues {
    private FullQueues() {}

    /** @param maxWaiting how many jobs may wait; null for any number */
    static boolean isFull(QueueStats queue, @Nullable Integer maxWaiting) {
        return maxWaiting != null && queue.available() + queue.delayed() + queue.retrying() >= maxWaiting;
    }

    static String words(String queue, @Nullable Integer maxWaiting) {
        return "queue " + queue + " is full: " + maxWaiting
                + " jobs may wait, and more are refused; start workers, or allow more: pawl limits set queue " + queue
                + " --max-waiting …";
    }
}
