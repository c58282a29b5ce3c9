package dev.pawl.internal.engine;

import dev.pawl.WorkerEvent;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events on: to the counters, the log, and the user's listeners. Thread-safe. */
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

    /** {@return whether anybody would notice an event that nothing is counted for: most workers start jobs that nobody wants to hear of} */
    boolean areHeard() {
        return !listeners.isEmpty() || log.isDebugEnabled();
    }

    void tell(WorkerEvent event) {
        tell(List.of(event));
    }

    /** What was recorded together: the log has one line for all that share a cause. */
    void tell(List<WorkerEvent> events) {
        events.forEach(counters::count);
        write(events);
        for (Consumer<WorkerEvent> listener : listeners) {
            events.forEach(event -> tell(listener, event));
        }
    }

    private static void tell(Consumer<WorkerEvent> listener, WorkerEvent event) {
        try {
            listener.accept(event);
        } catch (Throwable broken) { // an Error of user code must not end a thread of the worker
            complain(event, broken);
        }
    }

    private static void complain(WorkerEvent event, Throwable broken) {
        try {
            LOG.warn("a listener of the worker failed on {}: {}", event, ErrorText.of(broken));
        } catch (Throwable unspeakable) {
            return;
        }
    }

    /** A job that had not begun was given back. */
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
