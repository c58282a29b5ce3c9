package dev.pawl;

import dev.pawl.internal.slot.Reservations;
import dev.pawl.internal.slot.ReservedSlot;
import dev.pawl.internal.slot.SeriesOptions;
import dev.pawl.internal.slot.SlotRun;
import dev.pawl.internal.store.sql.Database;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A series of slots and how its values follow each other. Immutable: every option answers a copy. Thread-safe.
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

    static SlotSeries of(Database database, String name) {
        return new SlotSeries(new Reservations(database), SeriesOptions.defaults(name));
    }

    private SlotSeries with(SeriesOptions other) {
        return new SlotSeries(reservations, other);
    }

    /**
     * Where the series starts: the last value that was used before there was a series. Asked once in the life of the series,
     * by whoever reserves first, while the others wait.
     *
     * @param last answers null if there is none; must not use the series itself
     * @return a copy
     */
    public SlotSeries startFrom(Supplier<@Nullable String> last) {
        return with(options.withStart(Objects.requireNonNull(last)));
    }

    /**
     * How values follow each other. Called again with its own answer while that value has been issued before, so it must go
     * forward. Called while the series is locked: be quick, and do not use the series itself.
     *
     * @param next from the value before, null at the start of a series; at most 200 characters
     * @return a copy
     */
    public SlotSeries next(UnaryOperator<@Nullable String> next) {
        return with(options.withNext(Objects.requireNonNull(next)));
    }

    /**
     * How long a reservation lasts unless it is used, cleared or extended. {@link #around} extends it while the handler
     * runs.
     *
     * @param duration 1 s to 1 day. Default: the handler's timeout, else what {@link #retryDeadline} says, else 60 s
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public SlotSeries ttl(Duration duration) {
        requireRange(duration);
        return with(options.withTtl(duration));
    }

    /**
     * For jobs that are not worth trying after some time: the reservation lasts until then, unless {@link #ttl} or the
     * handler's timeout say otherwise.
     *
     * @param timeLeft from now; kept within 1 s and 1 day
     * @return a copy
     */
    public SlotSeries retryDeadline(Function<Job, Duration> timeLeft) {
        return with(options.withDeadline(Objects.requireNonNull(timeLeft)));
    }

    /**
     * Whether slots that were given back, or whose reservation ran out, are issued again, the smallest first.
     *
     * @param wanted true, the default: no value is left out, and a retry of the same job gets its slot again. False: each
     *     value is issued once, and failures leave gaps
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
     * How many values {@code next} may propose for one reservation that were all issued before.
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

    private static void requireRange(Duration duration) {
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
        return reservations.reserve(options, null, options.ttl(null));
    }

    /** {@return the used slot with the highest place in the series} */
    public Optional<String> lastUsed() {
        return reservations.lastUsed(options.name());
    }

    /**
     * Deletes the traces of slots that were used and are far behind, which keeps the table small.
     *
     * @param keep how many of the newest are kept, at least 1,000. A value that was deleted could be issued again, if
     *     {@code next} ever went back that far
     * @return how many were deleted
     * @throws InvalidJobException if it is outside the range
     */
    public long trim(long keep) {
        if (keep < 1000) {
            throw new InvalidJobException("keeping " + keep + " slots is not enough: keep at least 1000");
        }
        return reservations.trim(options.name(), keep);
    }

    /**
     * Wraps a handler: a slot is reserved before it starts and is there as {@link JobRun#slot}. It is used in the commit of
     * {@link JobRun#transaction}, together with what the handler writes there, or when the handler has returned. It is
     * cleared when the handler fails.
     *
     * @param handler what to do with the slot
     * @param <T> the payload
     * @return the handler to register
     */
    public <T> JobHandler<T> around(JobHandler<T> handler) {
        return (payload, run) -> {
            Duration ttl = options.ttl(run);
            ReservedSlot slot = reservations.reserve(options, run.job().id(), ttl);
            Future<?> heartbeat = slot.keepAlive(ttl);
            try {
                handler.handle(payload, new SlotRun(run, slot));
                slot.useUnlessUsed();
            } catch (Exception | Error failure) {
                if (!options.holdOnFailure()) {
                    slot.clearQuietly(failure);
                }
                throw failure;
            } finally {
                heartbeat.cancel(false);
            }
        };
    }
}
