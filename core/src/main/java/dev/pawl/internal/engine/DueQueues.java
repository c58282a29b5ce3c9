package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkerDirectory;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Selects, for a round of claims, the matching queues that have due jobs, so the cost of a round depends on the due jobs and not on the
 * number of queues. With very many queues a round covers a part of them, and the next round continues with the queue after the last one.
 * Confined to the fetcher's thread.
 */
final class DueQueues {
    /** Limit of reads per round while they find nothing. */
    private static final int MAX_READS = 5;

    private static final long FIRST_WAIT = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MAX_IN_VAIN = 7;

    private final MatchingQueues matching;
    private final WorkerDirectory directory;
    private final Set<String> kinds;
    private final Map<String, Unclaimable> unclaimable = new HashMap<>();
    private String position = "";
    private boolean leftOut;

    /** A queue whose due jobs this worker cannot claim, because they are of other kinds in a lane, or are held by a limit. */
    private record Unclaimable(int times, long until) {}

    /**
     * @param kinds that the worker handles
     */
    DueQueues(MatchingQueues matching, WorkerDirectory directory, Set<String> kinds) {
        this.matching = matching;
        this.directory = directory;
        this.kinds = kinds;
    }

    /** {@return the queues to claim from now} */
    Set<String> next() throws SQLException {
        leftOut = false;
        Set<String> queues = new TreeSet<>();
        for (int reads = 0; reads < MAX_READS && queues.isEmpty(); reads++) {
            String from = position;
            WorkerDirectory.Due due = directory.dueQueues(from, kinds);
            position = due.end();
            due.queues().stream().filter(matching::notices).forEach(queues::add);
            wait(queues);
            if (position.isEmpty() && from.isEmpty()) {
                return queues; // all queues were read
            }
        }
        leftOut |= !position.isEmpty();
        return queues;
    }

    private void wait(Set<String> queues) {
        long now = System.nanoTime();
        if (queues.removeIf(queue -> waits(queue, now))) {
            leftOut = true;
        }
        unclaimable.values().removeIf(known -> now - known.until > TimeUnit.MINUTES.toNanos(1));
    }

    /** A notification about the queue justifies another claim. */
    private boolean waits(String queue, long now) {
        Unclaimable known = unclaimable.get(queue);
        return known != null
                && now - known.until < 0
                && !matching.notifiedSince(queue, known.until - wait(known.times));
    }

    private static long wait(int times) {
        return FIRST_WAIT << Math.min(times, MAX_IN_VAIN);
    }

    /** {@return whether queues with due jobs may have been left out} */
    boolean hasLeftOut() {
        return leftOut;
    }

    /** Reports the result of a claim. */
    void claimed(String queue, boolean any) {
        if (any) {
            unclaimable.remove(queue);
        } else {
            Unclaimable before = unclaimable.get(queue);
            int times = before == null ? 0 : before.times + 1;
            unclaimable.put(queue, new Unclaimable(times, System.nanoTime() + wait(times)));
        }
    }
}
