package dev.pawl.manager;

import dev.pawl.InvalidJobException;
import dev.pawl.JobHandler;
import dev.pawl.JobRun;
import dev.pawl.Outcome;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads of the manager's own process, behind the same interface as workers elsewhere. */
public final class LocalChannel implements WorkerChannel {
    private final String name;
    private final int capacity;
    private final Map<String, JobHandler.WithOutcome<String>> handlers;
    private final AtomicInteger running = new AtomicInteger();

    /**
     * @param name shown in lists
     * @param capacity jobs at once, 1 to 10,000
     * @param handlers by kind; they get the payload as text
     * @throws InvalidJobException if the capacity is outside its range
     */
    public LocalChannel(String name, int capacity, Map<String, JobHandler.WithOutcome<String>> handlers) {
        if (capacity < 1 || capacity > 10_000) {
            throw new InvalidJobException("capacity " + capacity + " is not valid: use 1 to 10000");
        }
        this.name = name;
        this.capacity = capacity;
        this.handlers = Map.copyOf(handlers);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int free() {
        return capacity - running.get();
    }

    @Override
    public Set<String> kinds() {
        return handlers.keySet();
    }

    @Override
    public Outcome run(Assignment assignment, JobRun run) throws Exception {
        JobHandler.WithOutcome<String> handler = handlers.get(assignment.job().kind());
        if (handler == null) {
            throw new NotTaken("there is no handler for " + assignment.job().kind());
        }
        running.incrementAndGet();
        try {
            return handler.handle(assignment.job().payload(), run);
        } finally {
            running.decrementAndGet();
        }
    }
}
