package dev.pawl.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.CronSchedule;
import com.github.kagkarlsson.scheduler.task.schedule.CronStyle;
import dev.pawl.schedule.Recurrence;
import dev.pawl.servers.Tier;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.quartz.CronExpression;

/**
 * Imported cron expressions have the same ticks here as in the libraries that they come from. Expressions are generated from a fixed seed.
 * Each is compared in one of seven zones, over stretches of time within ten years. The quick tier compares 250 expressions of each dialect
 * over three stretches, the full tier 2,000 (or the number in PAWL_CRONS) over all stretches.
 */
class SameTicksTest {
    private static final List<ZoneId> ZONES = List.of(
            ZoneId.of("UTC"),
            ZoneId.of("Asia/Kolkata"),
            ZoneId.of("Europe/Rome"),
            ZoneId.of("America/New_York"),
            ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("America/Santiago"),
            ZoneId.of("Africa/Casablanca"));
    private static final Instant START =
            ZonedDateTime.of(2027, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC).toInstant();
    private static final Instant END =
            START.atZone(ZoneOffset.UTC).plusYears(10).toInstant();
    private static final int EXPRESSIONS = Math.toIntExact(Tier.ofThisBuild().size("PAWL_CRONS", 250, 2_000));
    /** Whether each expression is compared over all stretches, rather than over a few that differ from expression to expression. */
    private static final boolean ALL_STRETCHES = Tier.ofThisBuild().isSet("PAWL_CRONS");

    private static final int FEW_STRETCHES = 3;
    /** How many ticks of a stretch are compared at most. */
    private static final int MAX_TICKS = 30;

    /** Returns the first tick after a moment; null if there is none. */
    interface Ticks {
        @Nullable
        Instant after(Instant moment);
    }

    enum Dialect {
        QUARTZ {
            @Override
            Ticks theirs(String expression, ZoneId zone) {
                try {
                    CronExpression cron = new CronExpression(expression);
                    cron.setTimeZone(TimeZone.getTimeZone(zone));
                    return moment -> {
                        Date next = cron.getNextValidTimeAfter(Date.from(moment));
                        return next == null ? null : next.toInstant();
                    };
                } catch (ParseException e) {
                    throw new IllegalArgumentException(e);
                }
            }

            @Override
            Recurrence ours(String expression, ZoneId zone) {
                return CronDialect.quartz(expression, zone);
            }
        },
        DB_SCHEDULER_SPRING {
            @Override
            Ticks theirs(String expression, ZoneId zone) {
                return cronUtils(expression, zone, CronStyle.SPRING);
            }

            @Override
            Recurrence ours(String expression, ZoneId zone) {
                return DbScheduler.cron(expression, zone.getId(), CronStyle.SPRING.name());
            }
        },
        DB_SCHEDULER_SPRING53 {
            @Override
            Ticks theirs(String expression, ZoneId zone) {
                return cronUtils(expression, zone, CronStyle.SPRING53);
            }

            @Override
            Recurrence ours(String expression, ZoneId zone) {
                return DbScheduler.cron(expression, zone.getId(), CronStyle.SPRING53.name());
            }
        },
        DB_SCHEDULER_QUARTZ {
            @Override
            Ticks theirs(String expression, ZoneId zone) {
                return cronUtils(expression, zone, CronStyle.QUARTZ);
            }

            @Override
            Recurrence ours(String expression, ZoneId zone) {
                return DbScheduler.cron(expression, zone.getId(), CronStyle.QUARTZ.name());
            }
        },
        DB_SCHEDULER_UNIX {
            @Override
            Ticks theirs(String expression, ZoneId zone) {
                return cronUtils(expression, zone, CronStyle.UNIX);
            }

            @Override
            Recurrence ours(String expression, ZoneId zone) {
                return DbScheduler.cron(expression, zone.getId(), CronStyle.UNIX.name());
            }
        },
        JOBRUNR {
            @Override
            Ticks theirs(String expression, ZoneId zone) {
                org.jobrunr.scheduling.cron.CronExpression cron =
                        new org.jobrunr.scheduling.cron.CronExpression(expression);
                return moment -> cron.next(moment, moment, zone);
            }

            @Override
            Recurrence ours(String expression, ZoneId zone) {
                return CronDialect.jobRunr(expression, zone);
            }
        };

        private static Ticks cronUtils(String expression, ZoneId zone, CronStyle style) {
            CronSchedule schedule = new CronSchedule(expression, zone, style);
            return moment -> schedule.getNextExecutionTime(ExecutionComplete.simulatedSuccess(moment));
        }

        abstract Ticks theirs(String expression, ZoneId zone);

        abstract Recurrence ours(String expression, ZoneId zone);

        boolean isQuartz() {
            return this == QUARTZ || this == DB_SCHEDULER_QUARTZ;
        }

        boolean hasSeconds() {
            return this != DB_SCHEDULER_UNIX && this != JOBRUNR;
        }
    }

    /** Generates common expressions, and some unusual ones. */
    private static final class Generator {
        private final Random random = new Random(33);
        private final Dialect dialect;

        Generator(Dialect dialect) {
            this.dialect = dialect;
        }

        private String any(String... choices) {
            return choices[random.nextInt(choices.length)];
        }

        private String number(int low, int high) {
            return Integer.toString(low + random.nextInt(high - low + 1));
        }

        private String field(int low, int high) {
            return switch (random.nextInt(8)) {
                case 0, 1, 2 -> number(low, high);
                case 3 -> number(low, high) + "," + number(low, high);
                case 4 -> {
                    int from = low + random.nextInt(high - low);
                    yield from + "-" + (from + 1 + random.nextInt(high - from));
                }
                case 5 -> "*/" + number(2, Math.max(2, (high - low) / 2));
                case 6 -> number(low, high) + "/" + number(1, Math.max(2, (high - low) / 2));
                default -> "*";
            };
        }

        private String weekdays() {
            boolean quartz = dialect.isQuartz();
            return switch (random.nextInt(10)) {
                case 0 -> any("MON-FRI", "SUN", "SAT,SUN", "FRI-SUN", "SUN-SUN", "SAT-SUN", "MON", "SUN-MON");
                case 1 -> quartz ? any("6L", "2#1", "L", "1#5", "FRI#3", "FRI-MON", "6-2") : any("1", "5", "0", "7");
                default -> field(quartz ? 1 : 0, quartz ? 7 : 6);
            };
        }

        private String days() {
            return random.nextInt(8) == 0 && dialect.isQuartz()
                    ? any("L", "LW", "15W", "L-3", "1W", "29W", "30W", "31W")
                    : field(1, 28);
        }

        String next() {
            String ofMonth = "*";
            String ofWeek = "*";
            switch (random.nextInt(8)) {
                case 0, 1 -> ofMonth = days();
                case 2, 3 -> ofWeek = weekdays();
                case 4 -> {
                    ofMonth = days();
                    ofWeek = weekdays();
                }
                default -> {}
            }
            if (dialect.isQuartz()) {
                if (ofWeek.equals("*")) {
                    ofWeek = "?";
                } else {
                    ofMonth = "?";
                }
            }
            String hours = random.nextInt(3) == 0
                    ? any("0", "1", "2", "3", "1-3", "2,3", "*/2", "0/3", "22-2", "23-0")
                    : field(0, 23);
            String months = random.nextInt(4) == 0 ? any("MAR", "10", "3-11", "1,7", "*/3") : "*";
            String five = String.join(" ", field(0, 59), hours, ofMonth, months, ofWeek);
            return dialect.hasSeconds() ? "0 " + five : five;
        }
    }

    /** {@return the starts of the stretches: before each change of the clock, and about every seven months} */
    private static List<Instant> stretches(ZoneId zone, int number) {
        TreeSet<Instant> from = new TreeSet<>();
        for (ZonedDateTime day = START.atZone(ZoneOffset.UTC);
                day.toInstant().isBefore(END);
                day = day.plusMonths(7).plusDays(5)) {
            from.add(day.toInstant());
        }
        ZoneOffsetTransition change = zone.getRules().nextTransition(START);
        while (change != null && change.getInstant().isBefore(END)) {
            from.add(change.getInstant().minus(Duration.ofMinutes(70)));
            change = zone.getRules().nextTransition(change.getInstant());
        }
        List<Instant> all = List.copyOf(from);
        if (ALL_STRETCHES) {
            return all;
        }
        List<Instant> some = new ArrayList<>();
        for (int i = 0; i < FEW_STRETCHES; i++) {
            some.add(all.get((number * FEW_STRETCHES + i) * 7 % all.size()));
        }
        return some;
    }

    /** {@return the first difference; null if there is none} */
    private static @Nullable String difference(Ticks theirs, Recurrence ours, ZoneId zone, int number) {
        boolean everyHour = ours.toString().matches("(\\S+ )?\\S+ \\* .*");
        for (Instant from : stretches(zone, number)) {
            Instant at = from;
            for (int i = 0; i < MAX_TICKS; i++) {
                Instant expected = theirs.after(at);
                Instant here = ours.next(at, at);
                if ((expected == null || expected.isAfter(END)) && here.isAfter(END)) {
                    break;
                }
                if (!here.equals(expected)) {
                    if (expected != null && everyHour && (isTwice(expected, zone) || isTwice(here, zone))) {
                        // as documented, libraries differ in an hour that comes twice: they run in one of the two, or
                        // in both
                        break;
                    }
                    return "after " + at.atZone(zone) + ": "
                            + (expected == null ? "none" : expected.atZone(zone)) + " there, " + here.atZone(zone)
                            + " here";
                }
                at = here;
            }
        }
        return null;
    }

    private static boolean isTwice(Instant moment, ZoneId zone) {
        return zone.getRules()
                        .getValidOffsets(moment.atZone(zone).toLocalDateTime())
                        .size()
                == 2;
    }

    /**
     * If the repeated hour and the next hour are both scheduled, cron-utils also fires in the second occurrence of the repeated hour. Such
     * an expression is refused. Other pairs of hours are imported.
     */
    @Test
    void aRepeatedHourIsRefusedOnlyTogetherWithTheNextHour() {
        ZoneId rome = ZoneId.of("Europe/Rome");
        for (String hours : List.of("2", "1,2", "2,4", "2,8,9", "2,8-11")) {
            String expression = "0 30 " + hours + " * * *";
            Recurrence ours = CronDialect.spring(expression, rome);
            Ticks theirs = Dialect.DB_SCHEDULER_SPRING.theirs(expression, rome);
            for (int number = 0; number < 20; number++) {
                assertThat(difference(theirs, ours, rome, number))
                        .as(expression)
                        .isNull();
            }
        }
        assertThatThrownBy(() -> CronDialect.spring("0 30 2,3 * * *", rome))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("comes twice");
    }

    /** Each style is tested above, or refused. */
    @ParameterizedTest
    @EnumSource(CronStyle.class)
    void everyDbSchedulerStyleIsTestedOrRefused(CronStyle style) {
        boolean isTested = Arrays.stream(Dialect.values())
                .anyMatch(dialect -> dialect.name().equals("DB_SCHEDULER_" + style.name()));
        if (!isTested) {
            assertThatThrownBy(() -> DbScheduler.cron("0 9 * * *", "UTC", style.name()))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage("its cron expression is of the style " + style.name());
        }
    }

    @ParameterizedTest
    @EnumSource
    void importedExpressionsHaveTheSameTicks(Dialect dialect) {
        Generator generator = new Generator(dialect);
        List<String> wrong = new ArrayList<>();
        int taken = 0;
        int valid = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            String expression = generator.next();
            ZoneId zone = ZONES.get(i % ZONES.size());
            Ticks theirs;
            try {
                theirs = dialect.theirs(expression, zone);
                Instant unused = theirs.after(START);
            } catch (RuntimeException e) {
                continue;
            }
            valid++;
            Recurrence ours;
            try {
                ours = dialect.ours(expression, zone);
            } catch (RefusedException e) {
                continue;
            }
            taken++;
            String difference = difference(theirs, ours, zone, i);
            if (difference != null) {
                wrong.add(expression + " in " + zone + " as " + ours + ": " + difference);
            }
        }
        assertThat(wrong).as("%s: %s of %s taken", dialect, taken, valid).isEmpty();
        assertThat(taken).as("of %s that are valid there", valid).isGreaterThan(valid / 2);
    }
}
