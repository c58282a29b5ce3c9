package dev.pawl.dashboard.alert;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.internal.watch.AlertRounds;
import dev.pawl.dashboard.internal.watch.PeriodicTask;
import dev.pawl.spi.Series;

/**
 * Watches a queue and reports each problem once when it begins and once when it ends. Any number of processes may watch: one of them is
 * active, and its state is in the database, so that another one continues where it stopped. Thread-safe.
 *
 * <p>A delivered alert is repeated if the process ends, or the database fails, before the delivery is recorded.
 */
public final class Alerts implements AutoCloseable {
    private final PeriodicTask loop;
    private final AlertRounds rounds;

    Alerts(AlertRounds rounds) {
        this.rounds = rounds;
        this.loop = PeriodicTask.start("watching the queues", rounds::once, Series.STEP);
    }

    /**
     * @param queue to watch; it stays open
     * @return a builder
     */
    public static AlertsBuilder on(JobQueue queue) {
        return new AlertsBuilder(queue);
    }

    /** Stops watching and lets another process take over at once. */
    @Override
    public void close() {
        loop.close();
        rounds.close();
    }
}
