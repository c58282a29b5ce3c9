package dev.pawl.spring;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * A handler that was found among the beans.
 *
 * @param place where it is declared, for messages
 * @param type of its jobs
 * @param handler a {@link dev.pawl.api.JobHandler} or {@link dev.pawl.api.JobHandler.WithOutcome} of the type
 * @param options of it
 * @param transactional whether it runs in the transaction that completes its job
 * @param schedule of its jobs; null if they do not recur
 * @param withdrawn name of a former schedule to remove; null if there is none
 */
record FoundHandler(
        String place,
        JobType<Object> type,
        Object handler,
        HandlerOptions options,
        boolean transactional,
        @Nullable Schedule<?> schedule,
        @Nullable String withdrawn) {

    @SuppressWarnings("unchecked") // the search has determined the payload's type
    void addTo(WorkerBuilder worker) {
        try {
            if (handler instanceof dev.pawl.api.JobHandler<?> plain) {
                worker.handle(type, (dev.pawl.api.JobHandler<Object>) plain, options);
            } else {
                worker.handleWithOutcome(type, (dev.pawl.api.JobHandler.WithOutcome<Object>) handler, options);
            }
            if (schedule != null) {
                worker.schedule(schedule);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(place + ": " + e.getMessage(), e);
        }
    }
}
