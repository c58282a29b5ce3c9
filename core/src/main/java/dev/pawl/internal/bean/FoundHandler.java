package dev.pawl.internal.bean;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.Handler;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * A handler that was found among the beans.
 *
 * @param place where it is declared, for messages
 * @param owner the class that declares it, behind any proxy
 * @param type of its jobs; its defaults have the queue and the attempts of the annotation
 * @param handler of the type
 * @param options of it
 * @param transactional whether it runs in the transaction that completes its job
 * @param recurs whether its jobs recur
 */
public record FoundHandler(
        String place,
        Class<?> owner,
        JobType<Object> type,
        Handler<Object> handler,
        HandlerOptions options,
        boolean transactional,
        Recurs recurs) {
    /**
     * Whether the jobs of a handler recur.
     *
     * @param schedule of its jobs; null if they do not recur
     * @param withdrawn name of a former schedule to remove; null if there is none
     */
    public record Recurs(
            @Nullable Schedule<?> schedule, @Nullable String withdrawn) {
        /** The jobs do not recur. */
        public static final Recurs NOT = new Recurs(null, null);
    }

    @Nullable
    Schedule<?> schedule() {
        return recurs.schedule;
    }

    @Nullable
    String withdrawn() {
        return recurs.withdrawn;
    }

    void addTo(WorkerBuilder worker) {
        try {
            worker.handle(type, handler, options);
            if (recurs.schedule != null) {
                worker.schedule(recurs.schedule);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(place + ": " + e.getMessage(), e);
        }
    }
}
