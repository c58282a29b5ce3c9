package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Slot;
import dev.pawl.api.SlotException;
import dev.pawl.internal.engine.Completing;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.slot.PlainSlotHandler;
import dev.pawl.internal.slot.Reservations;
import dev.pawl.internal.slot.SeriesOptions;
import dev.pawl.internal.slot.SlotHandler;
import dev.pawl.internal.slot.SlotWithoutJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A series of slots and the order of its values. Immutable: every option returns a copy. Thread-safe.
 *
 * <pre>{@code
 * SlotSeries tickets = queue.slots().series("tickets").next(last -> last == null ? "T-1" : after(last));
 * Worker.on(queue).handle(SOLD, tickets.around((sold, run) ->
 *     run.transaction(connection -> insertTicket(connection, run.slot().orElseThrow().value(), sold))))
 * }</pre>
 */
public final class SlotSeries {
    private final Reservations reservations;
    private final SeriesOptions options;

    private SlotSeries(Reservations reservations, SeriesOptions options) {
        this.reservations = reservations;
        this.options = options;
    }

    static SlotSeries of(Database database, String name, Duration defaultTtl) {
        return new SlotSeries(
                new Reservations(database), SeriesOptions.defaults(name).withFallback(defaultTtl));
    }

    private SlotSeries with(SeriesOptions other) {
        return new SlotSeries(reservations, other);
    }

    /**
     * Sets where the series starts: after the last value that was used before the series existed. The supplier is
     * called once in the life of the series, by its first reservation, while other reservations wait.
     *
     * @param last returns null if there is no such value; must not use the series itself
     * @return a copy
     */
    public SlotSeries startFrom(Supplier<@Nullable String> last) {
        return with(options.withStart(Objects.requireNonNull(last)));
    }

    /**
     * Sets the function that computes the next value. It is called again with its own result while that value is
     * already issued, so it must always move forward. It is called while the series is locked, so it must be quick and
     * must not use the series itself.
     *
     * @param next returns the value after the given one, which is null at the start of the series; at most 200
     *     characters
     * @return a copy
     */
    public SlotSeries next(UnaryOperator<@Nullable String> next) {
        return with(options.withNext(Objects.requireNonNull(next)));
    }

    /**
     * Makes the values whole numbers, which {@link Slot#number} reads. The default is 1, 2, 3 and so on.
     *
     * @param first the first value, unless {@link #startFrom} returns a value to continue after
     * @param step from one value to the next; not zero
     * @return a copy
     * @throws IllegalArgumentException if the step is zero
     */
    public SlotSeries numbers(long first, long step) {
        if (step == 0) {
            throw new IllegalArgumentException("a step of 0 is not valid: the numbers must move forward");
        }
        return with(options.withNumbers(first, step));
    }

    /**
     * Sets the time at which a reservation expires unless the slot is used, cleared or extended; {@link #around} does
     * not extend it. Replaces {@link #ttl}.
     *
     * @param moment by the database's clock; clamped to 1 s to 1 day after the reservation
     * @return a copy
     */
    public SlotSeries until(Instant moment) {
        return with(options.withEnd(Objects.requireNonNull(moment)));
    }

    /**
     * Sets the duration after which a reservation expires unless the slot is used, cleared or extended. {@link #around}
     * extends it while the handler runs. Replaces {@link #until}.
     *
     * @param duration 1 s to 1 day. Default: the handler's timeout, else {@link #retryDeadline}, else
     *     {@link Slots#defaultTtl}
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public SlotSeries ttl(Duration duration) {
        requireRange(duration);
        return with(options.withTtl(duration));
    }

    /**
     * Lets a reservation last until a deadline of the job, unless {@link #ttl} or the handler's timeout sets its
     * duration. For jobs that are not worth retrying after some time.
     *
     * @param timeLeft returns the time from now; clamped to 1 s to 1 day
     * @return a copy
     */
    public SlotSeries retryDeadline(Function<Job, Duration> timeLeft) {
        return with(options.withDeadline(Objects.requireNonNull(timeLeft)));
    }

    /**
     * Sets whether slots that were released or have expired are issued again, in the order in which they were first issued.
     *
     * @param wanted true, the default: no value is left out. False: no other job gets such a slot, and failures leave gaps. Either way, a
     *     retry gets the slot that its job still has reserved
     * @return a copy
     */
    public SlotSeries gapless(boolean wanted) {
        return with(options.withGapless(wanted));
    }

    /**
     * Sets what {@link #around} and {@link #with} do with the slot when the handler or the work fails.
     *
     * @param wanted false, the default: the slot is released at once. True: it stays reserved until it expires
     * @return a copy
     */
    public SlotSeries holdOnFailure(boolean wanted) {
        return with(options.withHold(wanted));
    }

    /**
     * Sets how many already issued values {@code next} may propose for one reservation.
     *
     * @param most 1 to 1,000,000. Default 10,000
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public SlotSeries maxProbes(int most) {
        if (most < 1 || most > 1_000_000) {
            throw new IllegalArgumentException("maxProbes " + most + " is not valid: use 1 to 1000000");
        }
        return with(options.withProbes(most));
    }

    static void requireRange(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("ttl " + duration + " is not valid: use 1 s to 1 day");
        }
    }

    /**
     * Reserves the next slot and commits.
     *
     * @return the slot
     * @throws SlotException if {@code next} has no free value, or breaks its contract
     * @throws DatabaseException if the database fails; then a slot may be reserved until it expires
     */
    public Slot reserve() {
        return reservations.reserve(options, null, reservations.ttl(options, null));
    }

    /**
     * Does some work with the next slot, without a job: reserves the slot, uses it after the work has returned, and clears it if the work
     * fails. To use it in the transaction of its own writes, the work calls {@link Slot#use(java.sql.Connection)}.
     *
     * @param work gets the slot; may clear it
     * @param <R> the result
     * @return the result of the work
     * @throws SlotException if there is no free value, or the reservation has expired and another owner has the slot
     * @throws DatabaseException if the database fails
     * @throws Exception any exception of the work
     */
    public <R> R with(SlotWork<R> work) throws Exception {
        return SlotWithoutJob.run(reservations, options, work::apply);
    }

    /**
     * Work with a slot.
     *
     * @param <R> the result
     */
    @FunctionalInterface
    public interface SlotWork<R> {
        /**
         * Does the work.
         *
         * @param slot reserved for it
         * @return the result
         * @throws Exception to give the slot back
         */
        R apply(Slot slot) throws Exception;
    }

    /** {@return the used slot with the highest position in the series} */
    public Optional<String> lastUsed() {
        return reservations.lastUsed(options.name());
    }

    /**
     * Deletes the records of old used slots, which keeps the table small. In a series with gaps it also deletes slots
     * that were released or have expired, which reservations otherwise delete gradually.
     *
     * @param keep how many of the newest to keep, at least 1,000. A deleted value could be issued again if {@code next}
     *     ever went back that far
     * @return the number of deleted records
     * @throws IllegalArgumentException if it is outside the range
     */
    public long trim(long keep) {
        if (keep < 1000) {
            throw new IllegalArgumentException("keeping " + keep + " slots is not enough: keep at least 1000");
        }
        return reservations.trim(options.name(), keep, options.gapless());
    }

    /**
     * Wraps a handler so that a slot is reserved before each call; {@link JobRun#slot} returns it. The slot is used if and only if the job
     * completes: in the commit of {@link JobRun#transaction}, together with the handler's writes, or else in the commit that completes the
     * job. It is cleared when the handler fails. A handler may {@link Slot#clear give it back} and return. A handler may be wrapped several
     * times, by several series or twice by the same series. {@link JobRun#slots} returns all slots.
     *
     * @param handler the handler that needs a slot
     * @param <T> the payload
     * @return the handler to register
     */
    public <T> JobHandler<T> around(JobHandler<T> handler) {
        JobHandler.WithOutcome<T> whole =
                handler instanceof PlainSlotHandler<T> inner ? inner.handler() : Completing.of(handler);
        return new PlainSlotHandler<>(new SlotHandler<>(reservations, options, whole));
    }

    /**
     * Wraps a handler that returns an outcome, like {@link #around}: the slot is cleared unless the outcome is
     * completed.
     *
     * @param handler the handler that needs a slot
     * @param <T> the payload
     * @return the handler to register
     */
    public <T> JobHandler.WithOutcome<T> aroundWithOutcome(JobHandler.WithOutcome<T> handler) {
        return new SlotHandler<>(reservations, options, handler);
    }
}
