package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import java.util.List;
import java.util.function.Consumer;

/** Publishes events to the counters, the log and the user's listeners. Thread-safe. */
final class Events {
    private final Counters counters;
    private final List<Consumer<WorkerEvent>> listeners;
    private final EventLog log;

    Events(Counters counters, List<Consumer<WorkerEvent>> listeners, EventLog log) {
        this.counters = counters;
        this.listeners = listeners;
        this.log = log;
    }

    /** {@return whether an uncounted event has a receiver} Most workers have no receiver for starts. */
    boolean haveReceiver() {
        return !listeners.isEmpty() || log.isVerbose();
    }

    void publish(WorkerEvent event) {
        publish(List.of(event));
    }

    /** Publishes events that were recorded together: the log has one line per cause. */
    void publish(List<WorkerEvent> events) {
        for (WorkerEvent event : events) {
            counters.count(event);
        }
        write(events);
        for (Consumer<WorkerEvent> listener : listeners) {
            for (WorkerEvent event : events) {
                publish(listener, event);
            }
        }
    }

    private void publish(Consumer<WorkerEvent> listener, WorkerEvent event) {
        try {
            listener.accept(event);
        } catch (Throwable broken) { // an Error of user code must not end a thread of the worker
            quietly(() -> log.listenerFailed(event, broken));
        }
    }

    /** Counts a job that was released before it started. */
    void released() {
        counters.released.increment();
    }

    /** Logs how often the failures of the last minutes were repeated. */
    void reportRepeats() {
        quietly(log::reportRepeats);
    }

    /** Logs the repeated failures without waiting for the end of a minute. */
    void reportAllRepeats() {
        quietly(log::reportAllRepeats);
    }

    /** Logs a failure of the cleanup after a handler. */
    void cleanupFailed(Job job, Throwable error) {
        quietly(() -> log.cleanupFailed(job, error));
    }

    /** A failing log must not end a thread of the worker, either. */
    private void write(List<WorkerEvent> events) {
        try {
            log.write(events);
        } catch (Throwable unspeakable) {
            return;
        }
    }

    private static void quietly(Runnable logging) {
        try {
            logging.run();
        } catch (Throwable unspeakable) {
            return;
        }
    }
}
