package dev.pawl;

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
 * A series of slots and how its values follow each other. Immutable: every option returns a copy. Thread-safe.
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
     * Where the series starts: the last value that was used before there was a series. Asked once in the life of the
     * series, by the first reservation, while the others wait.
     *
     * @param last returns null if there is none; must not use the series itself
     * @return a copy
     */
    public SlotSeries startFrom(Supplier<@Nullable String> last) {
        return with(options.withStart(Objects.requireNonNull(last)));
    }

    /**
     * How values follow each other. Called again with its own result while that value has already been issued, so it
     * must move forward. Called while the series is locked: be quick, and do not use the series itself.
     *
     * @param next from the value before, null at the start of a series; at most 200 characters
     * @return a copy
     */
    public SlotSeries next(UnaryOperator<@Nullable String> next) {
        return with(options.withNext(Objects.requireNonNull(next)));
    }

    /**
     * Makes the values whole numbers, the default unless {@link #next} says otherwise; {@link Slot#number} reads them.
     *
     * @param first the first one, unless {@link #startFrom} knows one before it
     * @param step from one to the next; not zero
     * @return a copy
     * @throws InvalidJobException if the step is zero
     */
    public SlotSeries numbers(long first, long step) {
        if (step == 0) {
            throw new InvalidJobException("a step of 0 is not valid: the numbers must move forward");
        }
        return with(options.withNumbers(first, step));
    }

    /**
     * Until when a reservation lasts unless it is used, cleared or extended; {@link #around} does not extend it.
     * Replaces {@link #ttl}.
     *
     * @param moment of the database's clock; kept within 1 s and 1 day from when a slot is reserved
     * @return a copy
     */
    public SlotSeries until(Instant moment) {
        return with(options.withEnd(Objects.requireNonNull(moment)));
    }

    /**
     * How long a reservation lasts unless it is used, cleared or extended. {@link #around} extends it while the handler
     * runs.
     *
     * @param duration 1 s to 1 day. Default: the handler's timeout, else what {@link #retryDeadline} says, else
     *     {@link Slots#defaultTtl}
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public SlotSeries ttl(Duration duration) {
        requireRange(duration);
        return with(options.withTtl(duration));
    }

    /**
     * For jobs that are not worth trying after some time: the reservation lasts until then, unless {@link #ttl} or the
     * handler's timeout says otherwise.
     *
     * @param timeLeft from now; kept within 1 s and 1 day
     * @return a copy
     */
    public SlotSeries retryDeadline(Function<Job, Duration> timeLeft) {
        return with(options.withDeadline(Objects.requireNonNull(timeLeft)));
    }

    /**
     * Whether slots that were given back, or whose reservations ran out, are issued again, smallest first.
     *
     * @param wanted true, the default: no value is left out, and a retry of the same job gets its slot again. False:
     *     each value is issued once, and failures leave gaps
     * @return a copy
     */
    public SlotSeries gapless(boolean wanted) {
        return with(options.withGapless(wanted));
    }

    /**
     * What {@link #around} does with the slot when the handler fails.
     *
     * @param wanted false, the default: the slot is given back at once. True: it stays reserved until its time is over
     * @return a copy
     */
    public SlotSeries holdOnFailure(boolean wanted) {
        return with(options.withHold(wanted));
    }

    /**
     * How many already issued values {@code next} may propose for one reservation.
     *
     * @param most 1 to 1,000,000. Default 10,000
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public SlotSeries maxProbes(int most) {
        if (most < 1 || most > 1_000_000) {
            throw new InvalidJobException("maxProbes " + most + " is not valid: use 1 to 1000000");
        }
        return with(options.withProbes(most));
    }

    static void requireRange(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0 || duration.compareTo(Duration.ofDays(1)) > 0) {
            throw new InvalidJobException("ttl " + duration + " is not valid: use 1 s to 1 day");
        }
    }

    /**
     * Reserves the next slot.
     *
     * @return the slot, committed
     * @throws SlotException if {@code next} has no free value to offer, or breaks its contract
     * @throws DatabaseException if the database fails; then a slot may be reserved until its time is over
     */
    public Slot reserve() {
        return reservations.reserve(options, null, reservations.ttl(options, null));
    }

    /**
     * Does some work with the next slot right away, without a job: reserves the slot, uses it when the work has
     * returned, clears it when the work fails. To use it together with what the work writes, let the work call
     * {@link Slot#use(java.sql.Connection)}.
     *
     * @param work with the slot; may give it back
     * @param <R> the result
     * @return what the work returns
     * @throws SlotException if there is no free value, or the reservation ran out meanwhile
     * @throws DatabaseException if the database fails
     * @throws Exception whatever the work throws
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
         * @param slot reserved for it
         * @return the result
         * @throws Exception to give the slot back
         */
        R apply(Slot slot) throws Exception;
    }

    /** {@return the used slot with the highest place in the series} */
    public Optional<String> lastUsed() {
        return reservations.lastUsed(options.name());
    }

    /**
     * Deletes the traces of slots that were used long ago, which keeps the table small; in a series with gaps also
     * those that were given back or ran out, which otherwise happens gradually as slots are reserved.
     *
     * @param keep how many of the newest to keep, at least 1,000. A value that was deleted could be issued again, if
     *     {@code next} ever went back that far
     * @return how many were deleted
     * @throws InvalidJobException if it is outside the range
     */
    public long trim(long keep) {
        if (keep < 1000) {
            throw new InvalidJobException("keeping " + keep + " slots is not enough: keep at least 1000");
        }
        return reservations.trim(options.name(), keep, options.gapless());
    }

    /**
     * Wraps a handler: a slot is reserved before it starts, and {@link JobRun#slot} returns it. It is used in the
     * commit of {@link JobRun#transaction}, together with what the handler writes there, or, when the handler returns
     * without one, in the commit that completes the job; so it is used if and only if the job is completed. It is
     * cleared when the handler fails. A handler may {@link Slot#clear give it back} itself and return. Several series
     * may be wrapped around each other, even the same one twice: {@link JobRun#slots} has all slots.
     *
     * @param handler what to do with the slot
     * @param <T> the payload
     * @return the handler to register
     */
    public <T> JobHandler<T> around(JobHandler<T> handler) {
        JobHandler.WithOutcome<T> whole =
                handler instanceof PlainSlotHandler<T> inner ? inner.handler() : Completing.of(handler);
        return new PlainSlotHandler<>(new SlotHandler<>(reservations, options, whole));
    }

    /**
     * The same for handlers that say how the run ended: the slot is cleared unless that is completed.
     *
     * @param handler what to do with the slot
     * @param <T> the payload
     * @return the handler to register
     */
    public <T> JobHandler.WithOutcome<T> aroundWithOutcome(JobHandler.WithOutcome<T> handler) {
        return new SlotHandler<>(reservations, options, handler);
    }
}
