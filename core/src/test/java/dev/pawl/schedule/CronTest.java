package dev.pawl.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {
    private static Instant utc(String local) {
        return LocalDateTime.parse(local).toInstant(ZoneOffset.UTC);
    }

    private static List<String> next(String cron, String zone, String after, int count) {
        return next(cron, zone, after, count, Cron.Gap.RUN);
    }

    private static List<String> next(String cron, String zone, String after, int count, Cron.Gap gap) {
        List<String> ticks = new ArrayList<>();
        Instant at = OffsetDateTime.parse(after).toInstant();
        for (int i = 0; i < count; i++) {
            at = Cron.of(cron).nextAfter(at, ZoneId.of(zone), gap);
            ticks.add(at.atZone(ZoneId.of(zone)).toOffsetDateTime().toString());
        }
        return ticks;
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            # expression           ; after               ; next
            */15 * * * *           ; 2012-07-09T14:45    ; 2012-07-09T15:00
            0/15 * * * *           ; 2012-07-09T14:59:59 ; 2012-07-09T15:00
            5/15 * * * *           ; 2012-07-09T15:51    ; 2012-07-09T16:05
            20-35/15 * * * *       ; 2012-07-09T15:45    ; 2012-07-09T16:20
            */15 * * * *           ; 2012-07-09T23:46    ; 2012-07-10T00:00
            15/35 20-35/15 * * * * ; 2012-07-09T23:35:51 ; 2012-07-10T00:20:15
            15/35 20-35/15 1/2 * * * ; 2012-07-09T23:35:51 ; 2012-07-10T01:20:15
            15/35 20-35/15 10-12 * * * ; 2012-07-09T23:35:51 ; 2012-07-10T10:20:15
            15/35 20-35/15 1/2 */2 * * ; 2012-07-09T23:35:51 ; 2012-07-11T01:20:15
            15/35 20-35/15 * 9-20 Jul * ; 2012-07-09T23:35:51 ; 2012-07-10T00:20:15
            0 0 0 9 Apr-Oct ?      ; 2012-07-09T23:35    ; 2012-08-09T00:00
            0 0 * Feb Mon          ; 2012-07-09T23:35    ; 2013-02-04T00:00
            0 0 * Feb Mon/2        ; 2012-07-09T23:35    ; 2013-02-01T00:00
            * * * * *              ; 2012-12-31T23:59:45 ; 2013-01-01T00:00
            0 0 29 Feb ?           ; 2012-07-09T23:35    ; 2016-02-29T00:00
            0 0 29 2 *             ; 2096-03-01T00:00    ; 2104-02-29T00:00
            @hourly                ; 2012-07-09T15:00    ; 2012-07-09T16:00
            @daily                 ; 2012-07-09T15:00    ; 2012-07-10T00:00
            @MIDNIGHT              ; 2012-07-09T00:00    ; 2012-07-10T00:00
            @weekly                ; 2012-07-09T15:00    ; 2012-07-15T00:00
            @monthly               ; 2012-07-09T15:00    ; 2012-08-01T00:00
            @yearly                ; 2012-07-09T15:00    ; 2013-01-01T00:00
            # both days restricted: either will do; a star in one of them: both
            0 0 1,15 * Sun         ; 2012-06-01T00:00    ; 2012-06-03T00:00
            0 0 1,15 * Sun         ; 2012-06-10T00:00    ; 2012-06-15T00:00
            0 0 */10 * Sun         ; 2012-07-09T00:00    ; 2012-10-21T00:00
            0 0 13 * ?             ; 2012-07-13T00:00    ; 2012-08-13T00:00
            # Sunday by each of its names
            0 0 * * 0              ; 2012-07-09T00:00    ; 2012-07-15T00:00
            0 0 * * 7              ; 2012-07-09T00:00    ; 2012-07-15T00:00
            0 0 * * sat-SUN        ; 2012-07-14T00:00    ; 2012-07-15T00:00
            0 0 * * 5-7            ; 2012-07-14T00:00    ; 2012-07-15T00:00
            0 0 * * SUN-SUN        ; 2012-07-15T00:00    ; 2012-07-22T00:00
            0 0 * * 0-0            ; 2012-07-15T00:00    ; 2012-07-22T00:00
            0 0 * * 7-7            ; 2012-07-15T00:00    ; 2012-07-22T00:00
            0 0 * * 7-SUN          ; 2012-07-15T00:00    ; 2012-07-22T00:00
            0 0 * * SUN-SUN/2      ; 2012-07-15T00:00    ; 2012-07-22T00:00
            0 0 * * MON-MON        ; 2012-07-16T00:00    ; 2012-07-23T00:00
            0 0 * * SUN-MON        ; 2012-07-16T00:00    ; 2012-07-22T00:00
            0 0 * * SUN-7          ; 2012-07-16T00:00    ; 2012-07-17T00:00
            0 0 * * FRI-SUN/2      ; 2012-07-13T00:00    ; 2012-07-15T00:00
            0 0 1 JAN-JAN *        ; 2012-07-13T00:00    ; 2013-01-01T00:00
            0 22-22 * * *          ; 2012-07-13T22:00    ; 2012-07-14T22:00
            # the last days
            0 0 L * *              ; 2024-02-01T00:00    ; 2024-02-29T00:00
            0 0 L-3 * *            ; 2023-02-01T00:00    ; 2023-02-25T00:00
            0 0 L-30 * *           ; 2023-02-01T00:00    ; 2023-03-01T00:00
            0 0 LW * *             ; 2023-04-01T00:00    ; 2023-04-28T00:00
            0 0 L-1W * *           ; 2023-07-01T00:00    ; 2023-07-31T00:00
            # the nearest weekday, in the same month
            0 0 15W * *            ; 2023-07-01T00:00    ; 2023-07-14T00:00
            0 0 16W * *            ; 2023-07-01T00:00    ; 2023-07-17T00:00
            0 0 1W * *             ; 2023-06-30T00:00    ; 2023-07-03T00:00
            0 0 31W * *            ; 2023-12-01T00:00    ; 2023-12-29T00:00
            0 0 31W * *            ; 2023-02-01T00:00    ; 2023-03-31T00:00
            # days of the week within a month
            0 0 * * 5L             ; 2023-07-01T00:00    ; 2023-07-28T00:00
            0 0 * * FRIL           ; 2023-07-28T00:00    ; 2023-08-25T00:00
            0 0 * * MON#2          ; 2023-07-01T00:00    ; 2023-07-10T00:00
            0 0 * * 0#5            ; 2023-07-01T00:00    ; 2023-07-30T00:00
            0 0 * * 7#5            ; 2023-07-31T00:00    ; 2023-10-29T00:00
            0 12 1,L,15W * *       ; 2023-07-02T00:00    ; 2023-07-14T12:00
            0 12 * * 1,3#1,5L      ; 2023-07-04T00:00    ; 2023-07-05T12:00
            """)
    void isDue(String cron, String after, String next) {
        assertThat(Cron.of(cron).nextAfter(utc(after), ZoneOffset.UTC)).isEqualTo(utc(next));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "*",
                "* * * *",
                "* * * * * * *",
                "@every 1s",
                "@fortnightly",
                "0 0 * * FRI-MON",
                "0 0 * * 7-1",
                "0 0 1 NOV-FEB *",
                "0 22-2 * * *",
                "0 0 28-3 * *",
                "60 * * * *",
                "-1 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 0 *",
                "* * * 13 *",
                "* * * * 8",
                "* * * * MONDAY",
                "* * * FOO *",
                "60 * * * * *",
                "1-60 * * * *",
                "5-1 * * * *",
                "1--100000000 * * * *",
                "0-99999999999 * * * *",
                "*/0 * * * *",
                "*/-5 * * * *",
                "*/60 * * * *",
                "1/ * * * *",
                "1, * * * *",
                ",1 * * * *",
                "1,,2 * * * *",
                "1-2-3 * * * *",
                "1/2/3 * * * *",
                "a * * * *",
                "L * * * *",
                "15W * * * *",
                "* * 15W-17 * *",
                "* * W * *",
                "* * L-31 * *",
                "* * 0W * *",
                "* * * * 1#6",
                "* * * * 1#0",
                "* * * * #1",
                "* * * * L",
                "*5 * * * *",
                "0 0 30 2 *",
                "0 0 31 4,6,9,11 *",
                "0 0 L-30 2 *",
                "\u0661 * * * *"
            })
    void invalidExpressionsAreRefused(String cron) {
        assertThatThrownBy(() -> Cron.of(cron))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cron '" + cron.strip() + "'");
    }

    @Test
    void theMessageSaysWhatToDo() {
        assertThatThrownBy(() -> Cron.of("0 25 * * *"))
                .hasMessage("cron '0 25 * * *': in the field for the hour '25' is not valid: use 0 to 23");
        assertThatThrownBy(() -> Cron.of("0 22-2 * * *"))
                .hasMessageContaining("runs backwards: write it as two ranges");
        assertThatThrownBy(() -> Cron.of("0 0 30 2 *")).hasMessageContaining("is never due");
        assertThatThrownBy(() -> Cron.of("0 0 * *")).hasMessageContaining("has 4 fields: write five");
        assertThatThrownBy(() -> Cron.of("*".repeat(300))).hasMessageContaining("too long");
    }

    /** New York, 8 March 2026: 02:00 to 03:00 is skipped; 1 November: 01:00 to 02:00 is repeated. */
    @Test
    void aFixedHourInAGapComesRightAfterIt() {
        String before = "2026-03-07T12:00-05:00";
        assertThat(next("30 2 * * *", "America/New_York", before, 2))
                .containsExactly("2026-03-08T03:00-04:00", "2026-03-09T02:30-04:00");
        assertThat(next("30 2 * * *", "America/New_York", before, 1, Cron.Gap.SKIP))
                .containsExactly("2026-03-09T02:30-04:00");
        assertThat(next("*/20 2,3 * * *", "America/New_York", "2026-03-08T01:00-05:00", 3))
                .as("the skipped ticks and the one at 03:00 come as one")
                .containsExactly("2026-03-08T03:00-04:00", "2026-03-08T03:20-04:00", "2026-03-08T03:40-04:00");
        assertThat(next("*/15 1 * * *", "Europe/London", "2026-03-29T00:50Z", 2))
                .containsExactly("2026-03-29T02:00+01:00", "2026-03-30T01:00+01:00");
    }

    @Test
    void aFixedHourThatComesTwiceCountsTheFirstTime() {
        assertThat(next("30 1 * * *", "America/New_York", "2026-10-31T12:00-04:00", 2))
                .containsExactly("2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00");
        assertThat(next("30 1 * * *", "America/New_York", "2026-11-01T01:10-05:00", 1))
                .as("after a time in the second occurrence of the hour")
                .containsExactly("2026-11-02T01:30-05:00");
        assertThat(next("0 2 25 10 *", "Europe/Rome", "2026-01-01T00:00Z", 2))
                .containsExactly("2026-10-25T02:00+02:00", "2027-10-25T02:00+02:00");
        assertThat(next("0,30 0-3 * * *", "America/New_York", "2026-11-01T00:45-04:00", 4))
                .containsExactly(
                        "2026-11-01T01:00-04:00",
                        "2026-11-01T01:30-04:00",
                        "2026-11-01T02:00-05:00",
                        "2026-11-01T02:30-05:00");
    }

    @Test
    void everyHourFollowsElapsedTime() {
        assertThat(next("0 * * * *", "America/New_York", "2026-03-08T00:30-05:00", 3))
                .containsExactly("2026-03-08T01:00-05:00", "2026-03-08T03:00-04:00", "2026-03-08T04:00-04:00");
        assertThat(next("0 * * * *", "America/New_York", "2026-11-01T00:30-04:00", 4))
                .containsExactly(
                        "2026-11-01T01:00-04:00",
                        "2026-11-01T01:00-05:00",
                        "2026-11-01T02:00-05:00",
                        "2026-11-01T03:00-05:00");
        assertThat(next("*/30 */2 * * *", "America/New_York", "2026-03-08T01:30-05:00", 1))
                .containsExactly("2026-03-08T04:00-04:00");
    }

    @Test
    void gapsAtMidnightDoNotSwallowADay() {
        assertThat(next("0 0 * * *", "Asia/Beirut", "2025-03-29T12:00+02:00", 2))
                .containsExactly("2025-03-30T01:00+03:00", "2025-03-31T00:00+03:00");
        assertThat(next("@daily", "America/Santiago", "2025-09-06T12:00-04:00", 2))
                .containsExactly("2025-09-07T01:00-03:00", "2025-09-08T00:00-03:00");
        assertThat(next("0 0 * * SUN", "America/Sao_Paulo", "2018-11-01T12:00-03:00", 1))
                .containsExactly("2018-11-04T01:00-02:00");
    }

    /** Lord Howe's clocks change by half an hour; Samoa skipped 30 December 2011. */
    @Test
    void unusualClockChangesAreHandled() {
        assertThat(next("10 2 * * *", "Australia/Lord_Howe", "2025-10-04T12:00+10:30", 2))
                .containsExactly("2025-10-05T02:30+11:00", "2025-10-06T02:10+11:00");
        assertThat(next("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00+11:00", 2))
                .containsExactly("2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30");
        assertThat(next("*/30 * * * *", "Australia/Lord_Howe", "2026-04-05T01:20+11:00", 4))
                .containsExactly(
                        "2026-04-05T01:30+11:00",
                        "2026-04-05T01:30+10:30",
                        "2026-04-05T02:00+10:30",
                        "2026-04-05T02:30+10:30");
        assertThat(next("0 8 * * *", "Pacific/Apia", "2011-12-29T12:00-10:00", 2))
                .as("the lost day's tick comes at its end")
                .containsExactly("2011-12-31T00:00+14:00", "2011-12-31T08:00+14:00");
        assertThat(next("0 8 * * *", "Pacific/Apia", "2011-12-29T12:00-10:00", 1, Cron.Gap.SKIP))
                .containsExactly("2011-12-31T08:00+14:00");
    }

    /** Checks the intervals between all ticks of a year, in zones with clock changes. */
    @Test
    void noTickIsLostAndNoneComesTwice() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<ZoneId> zones = Stream.of("America/New_York", "Europe/Rome", "Australia/Lord_Howe", "Asia/Beirut", "UTC")
                .map(ZoneId::of)
                .toList();
        for (int round = 0; round < 40; round++) {
            ZoneId zone = zones.get(random.nextInt(zones.size()));
            int minute = random.nextInt(60);
            int hour = random.nextInt(24);
            Cron fixed = Cron.of(minute + " " + hour + " * * *");
            Cron hourly = Cron.of(minute + " * * * *");
            Instant end = Instant.parse("2027-01-01T00:00:30Z");
            Instant at = Instant.parse("2026-01-01T00:00:30Z"); // not a tick
            int days = 0;
            for (Instant next = fixed.nextAfter(at, zone); next.isBefore(end); next = fixed.nextAfter(next, zone)) {
                assertThat(Duration.between(at, next))
                        .as("%s in %s, seed %d", fixed, zone, seed)
                        .isLessThan(Duration.ofHours(26));
                at = next;
                days++;
            }
            assertThat(days).as("%s in %s, seed %d", fixed, zone, seed).isBetween(365, 366);
            at = Instant.parse("2026-01-01T00:00:30Z");
            for (Instant next = hourly.nextAfter(at, zone); next.isBefore(end); next = hourly.nextAfter(next, zone)) {
                assertThat(next.atZone(zone).getMinute())
                        .as("%s in %s, seed %d", hourly, zone, seed)
                        .isEqualTo(minute);
                assertThat(Duration.between(at, next))
                        .as("%s in %s, seed %d", hourly, zone, seed)
                        .isLessThanOrEqualTo(Duration.ofMinutes(90));
                at = next;
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            * * * * *          ; every minute
            */5 * * * *        ; every 5 minutes
            */7 * * * *        ; at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56
            */45 * * * *       ; at minutes 0 and 45
            */30 * * * *       ; every 30 minutes
            0 */5 * * *        ; at 00:00, 05:00, 10:00, 15:00 and 20:00 every day
            15 */12 * * *      ; every 12 hours at 15 minutes past
            */7 * * * * *      ; at seconds 0, 7, 14, 21, 28, 35, 42, 49 and 56
            0 * * * *          ; every hour
            15 * * * *         ; every hour at 15 minutes past
            0 */2 * * *        ; every 2 hours
            */10 9-17 * * 1-5  ; every 10 minutes from 09:00 to 17:59 on weekdays
            0 3 * * *          ; at 03:00 every day
            30 8,20 * * *      ; at 08:30 and 20:30 every day
            0 9 * * MON-FRI    ; at 09:00 on weekdays
            0 9 * * SUN        ; at 09:00 on Sunday
            0 0 1 * *          ; at 00:00 on the 1st
            0 0 1,15,22 * *    ; at 00:00 on the 1st, 15th and 22nd
            0 0 L * *          ; at 00:00 on the last day of the month
            0 0 15W * *        ; at 00:00 on the weekday nearest to the 15th
            0 0 * * MON#2      ; at 00:00 on the second Monday of the month
            0 0 1 * MON        ; at 00:00 on the 1st and on Monday
            0 0 1 1,7 *        ; at 00:00 on the 1st in January and July
            @yearly            ; at 00:00 on the 1st in January
            */10 * * * * *     ; every 10 seconds
            5 0 3 * * *        ; at 03:00:05 every day
            """)
    void isDescribedInWords(String cron, String words) {
        assertThat(Cron.of(cron).words()).isEqualTo(words);
    }

    @Test
    void expressionsWithEqualTextsAreEqual() {
        assertThat(Cron.of(" 0 3 * * * ")).isEqualTo(Cron.of("0 3 * * *")).hasToString("0 3 * * *");
        assertThat(Cron.of("@daily")).isNotEqualTo(Cron.of("0 0 * * *")).hasSameHashCodeAs(Cron.of("@daily"));
    }
}
