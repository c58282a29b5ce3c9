package dev.pawl.cli;

import dev.pawl.schedule.Cron;
import dev.pawl.schedule.Recurrence;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The recurrence of a schedule. */
final class RecurrenceOptions {
    @Option(
            names = "--cron",
            paramLabel = "EXPRESSION",
            description = {
                "Five fields, 'minute hour day-of-month month day-of-week', six with seconds before them, or @hourly, @daily,",
                "@weekly, @monthly, @yearly. Besides * , - / there are L, 15W, LW, 5L and MON#2."
            })
    private @Nullable String cron;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "For --cron: whose clock, such as Europe/Rome. Default: UTC")
    private @Nullable String zone;

    @Option(
            names = "--skip-gaps",
            description =
                    "For --cron: no tick where the clock skips its time; by default it comes right after the gap, once.")
    private boolean skipGaps;

    @Option(names = "--every", paramLabel = "DURATION", description = "At regular intervals, 1s to 3650d.")
    private @Nullable String every;

    @Option(
            names = "--after",
            paramLabel = "DURATION",
            description = "This long after the end of the last run, 1s to 3650d.")
    private @Nullable String after;

    Recurrence recurrence() {
        int given = (cron == null ? 0 : 1) + (every == null ? 0 : 1) + (after == null ? 0 : 1);
        if (given > 1) {
            throw new UsageException("use one of --cron, --every and --after, not several of them");
        }
        if (given == 0) {
            throw new UsageException("say when, with one of --cron, --every and --after");
        }
        if (cron == null && (zone != null || skipGaps)) {
            throw new UsageException("--zone and --skip-gaps belong to --cron");
        }
        if (every != null) {
            return Recurrence.every(Texts.duration("--every", every, "1s", "3650d"));
        }
        if (after != null) {
            return Recurrence.after(Texts.duration("--after", after, "1s", "3650d"));
        }
        String expression = Objects.requireNonNull(cron);
        Recurrence recurrence = zone == null ? Recurrence.cron(expression) : Recurrence.cron(expression, zoneOf(zone));
        return skipGaps && recurrence instanceof Recurrence.ByClock clock
                ? new Recurrence.ByClock(clock.cron(), clock.zone(), Cron.Gap.SKIP)
                : recurrence;
    }

    private static ZoneId zoneOf(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new UsageException(
                    "--zone " + Texts.cut(name) + " is not a time zone: use a name such as Europe/Rome or UTC");
        }
    }
}
