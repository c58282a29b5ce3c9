package dev.pawl;

import dev.pawl.admin.SlotGap;
import dev.pawl.admin.SlotSeriesInfo;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Names;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.slot.SlotReports;
import java.time.Duration;
import java.util.List;

/**
 * Series of slots: values such as serial numbers and ticket codes, each issued to one job at a time and used once. Get
 * it from {@link JobQueue#slots}. Thread-safe.
 */
public final class Slots {
    private final Database database;
    private final Duration defaultTtl;

    Slots(Database database) {
        this(database, Duration.ofSeconds(60));
    }

    private Slots(Database database, Duration defaultTtl) {
        this.database = database;
        this.defaultTtl = defaultTtl;
    }

    /**
     * Sets how long reservations last unless the series or the handler's timeout determines that.
     *
     * @param ttl 1 s to 1 day. Default 60 s
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public Slots defaultTtl(Duration ttl) {
        SlotSeries.requireRange(ttl);
        return new Slots(database, ttl);
    }

    /**
     * Returns a series, whose options can then be set. Series are independent of each other.
     *
     * @param name of the series, in the same form as the name of a queue
     * @return the series
     * @throws IllegalArgumentException if the name is malformed
     */
    public SlotSeries series(String name) {
        return SlotSeries.of(database, Names.check("series", name), defaultTtl);
    }

    /**
     * {@return the state of all series, by name}
     *
     * @throws DatabaseException if the database fails
     */
    public List<SlotSeriesInfo> list() {
        return Failures.wrapped("cannot list the series", new SlotReports(database)::list);
    }

    /**
     * Lists the gaps of a series: values that were issued and not used, although later values were used. Values whose records were deleted
     * do not appear: {@link SlotSeries#trim} deletes records, as do reservations in a series that is not {@link SlotSeries#gapless}.
     *
     * @param series its name
     * @param limit the maximum number of gaps
     * @return the gaps, in the order of issue
     * @throws DatabaseException if the database fails
     */
    public List<SlotGap> gaps(String series, int limit) {
        Names.checkText("series", series, series);
        return Failures.wrapped("cannot read series " + series, () -> new SlotReports(database).gaps(series, limit));
    }

    /**
     * Gives back a reserved slot on behalf of its owner, which cannot use the slot afterwards. For operators who know that the owner is
     * dead.
     *
     * @param series its name
     * @param value of the slot
     * @return false if it was not reserved
     * @throws DatabaseException if the database fails
     */
    public boolean free(String series, String value) {
        Names.checkText("series", series, series);
        Names.checkText("value", value, value);
        return Failures.wrapped("cannot free slot " + value, () -> new SlotReports(database).free(series, value));
    }

    /**
     * Deletes a series with all of its slots and reservations. The next reservation starts the series again and calls {@link
     * SlotSeries#startFrom}. If {@code startFrom} does not return the last used value, used values can be issued again.
     *
     * @param series its name
     * @return false if there is no such series
     * @throws DatabaseException if the database fails
     */
    public boolean flush(String series) {
        Names.checkText("series", series, series);
        return Failures.wrapped("cannot flush series " + series, () -> new SlotReports(database).flush(series));
    }
}
