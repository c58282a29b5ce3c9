package dev.pawl.internal.engine;

import dev.pawl.api.WorkerEvent;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes events to the counters, the log and the user's listeners. Thread-safe. */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);

    private final Counters counters;
    private final List<Consumer<WorkerEvent>> listeners;
    private final Logger log;

    Events(Counters counters, List<Consumer<WorkerEvent>> listeners) {
        this(counters, listeners, EventLog.LOG);
    }

    Events(Counters counters, List<Consumer<WorkerEvent>> listeners, Logger log) {
        this.counters = counters;
        this.listeners = listeners;
        this.log = log;
    }

    /** {@return whether an uncounted event has a receiver} Most workers have none for starts. */
    boolean haveReceiver() {
        return !listeners.isEmpty() || log.isDebugEnabled();
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

    private static void publish(Consumer<WorkerEvent> listener, WorkerEvent event) {
        try {
            listener.accept(event);
        } catch (Throwable broken) { // an Error of user code must not end a thread of the worker
            logFailure(event, broken);
        }
    }

    private static void logFailure(WorkerEvent event, Throwable broken) {
        try {
            LOG.warn("a listener of the worker failed on {}: {}", event, ErrorText.of(broken));
        } catch (Throwable unspeakable) {
            return;
        }
    }

    /** Counts a job that was released before it started. */
    void released() {
        counters.released.increment();
    }

    /** A failing log must not end a thread of the worker, either. */
    private void write(List<WorkerEvent> events) {
        try {
            EventLog.write(log, events);
        } catch (Throwable unspeakable) {
            return;
        }
    }
}
