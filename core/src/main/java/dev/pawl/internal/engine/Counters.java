package dev.pawl.internal.engine;

import dev.pawl.api.WorkerEvent;
import java.util.concurrent.atomic.LongAdder;

/** Counters of the worker. Thread-safe. */
final class Counters {
    final LongAdder claimed = new LongAdder();
    final LongAdder completed = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder snoozed = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder discarded = new LongAdder();
    final LongAdder leasesLost = new LongAdder();
    final LongAdder released = new LongAdder();
    final LongAdder running = new LongAdder();
    final LongAdder rescued = new LongAdder();

    void count(WorkerEvent event) {
        if (event instanceof WorkerEvent.Completed) {
            completed.increment();
        } else if (event instanceof WorkerEvent.Failed) {
            failed.increment();
        } else if (event instanceof WorkerEvent.Snoozed) {
            snoozed.increment();
        } else if (event instanceof WorkerEvent.Cancelled) {
            cancelled.increment();
        } else if (event instanceof WorkerEvent.Discarded) {
            discarded.increment();
        } else if (event instanceof WorkerEvent.LeaseLost) {
            leasesLost.increment();
        }
    }
}
