package dev.pawl.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.limit.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateScheduleTest {
    private static final long PACE = 7_000;

    /**
     * Workers request random numbers at random times, and use their starts at random times up to the last possible one.
     */
    @ParameterizedTest
    @CsvSource({"1, PT1S", "2, PT1S", "7, PT1S", "100, PT1S", "3000, PT1S", "1, PT60S", "100, PT60S", "5, PT24H"})
    void noIntervalHasMoreStarts(int starts, Duration per) {
        Random random = new Random(starts);
        RateSchedule rateSchedule = new RateSchedule(new Rate(starts, per));
        long span = per.toNanos() / 1000;
        long next = 0;
        long now = 1_000_000_000_000L;
        List<Long> used = new ArrayList<>();
        long end = now + 20 * span;
        while (now < end) {
            now += 1 + (long) (random.nextDouble() * (random.nextInt(50) == 0 ? 2 * span : span / PACE + 1));
            now = Math.max(now, random.nextInt(3) == 0 ? next : now);
            RateSchedule.Taken taken = rateSchedule.take(next, now, random.nextInt(2 * starts) + 1);
            for (int i = 0; i < taken.count(); i++) {
                used.add(now + (random.nextBoolean() ? 0 : (long) (random.nextDouble() * rateSchedule.goodFor())));
            }
            next = taken.next();
        }
        used.sort(Long::compare);
        assertThat(used).hasSizeGreaterThan(5);
        for (int i = starts; i < used.size(); i++) {
            assertThat(used.get(i) - used.get(i - starts))
                    .as("%d starts after the one at %d", starts, used.get(i - starts))
                    .isGreaterThanOrEqualTo(span);
        }
    }

    private record Start(long at, int cost) {}

    /** Jobs of random costs, some above the whole rate; each job begins while its start is valid. */
    @ParameterizedTest
    @CsvSource({"1, 5, PT1S", "7, 3, PT1S", "100, 40, PT1S", "100, 250, PT60S", "50, 50, PT60S", "1000, 10, PT1H"})
    void noIntervalHasMoreStartsForAnyCosts(int starts, int most, Duration per) {
        Random random = new Random(starts + most);
        RateSchedule rateSchedule = new RateSchedule(new Rate(starts, per));
        long span = per.toNanos() / 1000;
        long next = 0;
        CostlyStarts recent = null;
        long now = 1_000_000_000_000L;
        List<Start> used = new ArrayList<>();
        for (long end = now + 30 * span; now < end; ) {
            now += 1 + (long) (random.nextDouble() * (random.nextInt(40) == 0 ? 3 * span : span / starts + 1));
            now = Math.max(now, random.nextInt(3) == 0 ? next : now);
            boolean costly = now / (4 * span) % 2 == 0; // periods with and without costly jobs
            int cost = Math.min(starts, costly && random.nextInt(3) == 0 ? random.nextInt(most) + 1 : 1);
            int wanted = cost + random.nextInt(3);
            RateSchedule.Taken taken;
            if (recent == null || recent.until() <= now) {
                recent = cost == 1 ? null : CostlyStarts.first(rateSchedule, next, now);
            }
            if (recent == null) {
                taken = rateSchedule.take(next, now, wanted);
            } else {
                int room = recent.room(rateSchedule, now, cost);
                taken = cost == 1
                        ? rateSchedule.take(next, now, Math.min(wanted, room))
                        : rateSchedule.takeTogether(next, now, Math.min(wanted, room), cost);
                recent = Objects.requireNonNull(
                        CostlyStarts.parse(recent.with(rateSchedule, now, taken.count(), cost, wanted)
                                .toString()));
                assertThat(recent.entries()).hasSizeLessThan(200);
            }
            next = taken.count() > 0 ? taken.next() : next;
            for (int left = taken.count(); left > 0; left -= cost) {
                used.add(new Start(now + (long) (random.nextDouble() * rateSchedule.goodFor()), Math.min(left, cost)));
            }
        }
        assertThat(used).anyMatch(one -> one.cost > 1 || starts == 1);
        used.sort(Comparator.comparingLong(Start::at));
        assertThat(used).hasSizeGreaterThan(5);
        for (int first = 0; first < used.size(); first++) {
            long sum = 0;
            for (Start one : used.subList(first, used.size())) {
                if (one.at - used.get(first).at >= span) {
                    break;
                }
                sum += one.cost;
            }
            assertThat(sum).as("starts after %s", used.get(first)).isLessThanOrEqualTo(starts);
        }
    }

    /** All jobs have the same cost, and a worker requests starts whenever it is told to. */
    @ParameterizedTest
    @CsvSource({"1000, 10, PT60S", "100, 50, PT60S", "100000, 2, PT1H", "1000, 2, PT1S", "60, 60, PT60S"})
    void nearlyTheWholeRateIsUsedForAnyCosts(int starts, int cost, Duration per) {
        RateSchedule rateSchedule = new RateSchedule(new Rate(starts, per));
        long span = per.toNanos() / 1000;
        long now = 1_000_000_000_000L;
        long next = 0;
        CostlyStarts recent = CostlyStarts.first(rateSchedule, next, now);
        long got = 0;
        long begun = now;
        while (now < begun + 10 * span) {
            int wanted = 100 * cost;
            RateSchedule.Taken taken =
                    rateSchedule.takeTogether(next, now, Math.min(wanted, recent.room(rateSchedule, now, cost)), cost);
            next = taken.next();
            got += taken.count();
            recent = recent.with(rateSchedule, now, taken.count(), cost, wanted);
            long turn = Math.max(next - now, recent.untilRoom(rateSchedule, now, cost));
            now += Math.max(turn, rateSchedule.goodFor() / 4);
        }
        assertThat(got).isGreaterThan(starts * 10L * 7 / 10);
    }

    /** A reservation for a job that is cancelled expires, so that smaller jobs continue after a while. */
    @Test
    void aReservationExpiresUnlessRenewed() {
        RateSchedule rateSchedule = new RateSchedule(new Rate(100, Duration.ofMinutes(1)));
        long now = 1_000_000_000_000L;
        CostlyStarts recent = CostlyStarts.first(rateSchedule, now, now).with(rateSchedule, now, 0, 90, 90);
        assertThat(recent.room(rateSchedule, now, 50)).isLessThan(10);
        for (int ask = 0; ask < 40; ask++) {
            now += 1_000_000;
            recent = recent.with(rateSchedule, now, 0, 50, 50);
        }
        assertThat(recent.room(rateSchedule, now, 50)).isGreaterThan(50);
        CostlyStarts slower = recent.with(rateSchedule, now, 0, 100, 100);
        RateSchedule half = new RateSchedule(new Rate(40, Duration.ofMinutes(1)));
        assertThat(slower.room(half, now, 40)).as("a limit that was lowered").isGreaterThan(0);
    }

    /** A worker that requests whenever a start is due gets nearly all starts. */
    @ParameterizedTest
    @CsvSource({"10, PT1S, 8", "100, PT1S, 82", "60, PT60S, 57", "1000, PT1H, 990"})
    void nearlyTheWholeRateIsUsed(int starts, Duration per, int atLeast) {
        RateSchedule rateSchedule = new RateSchedule(new Rate(starts, per));
        long span = per.toNanos() / 1000;
        long next = 0;
        long now = 1_000_000_000_000L;
        int got = 0;
        for (long end = now + 10 * span; now < end; now = Math.max(now + 1, next)) {
            RateSchedule.Taken taken = rateSchedule.take(next, now, 1_000);
            got += taken.count();
            next = taken.next();
        }
        assertThat(got / 10).isBetween(atLeast, starts);
    }
}
