package dev.pawl.cli;

import dev.pawl.admin.QueueStats;
import org.jspecify.annotations.Nullable;

/** Detects queues that have reached their maximum of waiting jobs, by the rule that all programs follow. */
final class FullQueues {
    private FullQueues() {}

    /** @param maxWaiting maximum number of waiting jobs; null for no limit */
    static boolean isFull(QueueStats queue, @Nullable Integer maxWaiting) {
        return maxWaiting != null && queue.available() + queue.delayed() + queue.retrying() >= maxWaiting;
    }

    static String words(String queue, @Nullable Integer maxWaiting) {
        return "queue " + queue + " is full: " + maxWaiting
                + " jobs may wait, and more are refused; start workers, or allow more: pawl set limit queue " + queue
                + " --max-waiting …";
    }
}
