package dev.pawl.dashboard.alert;

import dev.pawl.JobQueue;
import dev.pawl.admin.Series;
import dev.pawl.dashboard.internal.watch.AlertRounds;
import dev.pawl.dashboard.internal.watch.Loop;

/**
 * Watches a queue and tells what is wrong, once when it begins and once when it is over. Any number of processes may watch: one of them
 * does, and what it has told is in the database, so another one goes on where it ended. Thread-safe.
 *
 * <p>An alert is told again only if its process ended between telling it and writing that down.
 */
public final class Alerts implements AutoCloseable {
    private final Loop loop;
    private final AlertRounds rounds;

    Alerts(AlertRounds rounds) {
        this.rounds = rounds;
        this.loop = Loop.start("watching the queues", rounds::once, Series.STEP);
    }

    /**
     * @param queue to watch; it stays open
     * @return a builder
     */
    public static AlertsBuilder on(JobQueue queue) {
        return new AlertsBuilder(queue);
    }

    /** Ends watching, and lets another process go on at once. */
    @Override
    public void close() {
        loop.close();
        rounds.close();
    }
}
