package dev.pawl.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.limit.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketTest {
    private static final long SECOND = 1_000_000;
    private static final Rate TEN_A_MINUTE = new Rate(10, Duration.ofMinutes(1));

    /** If the bucket was forgotten, an expensive job could use starts that cheap jobs have used already. */
    @Test
    void aBucketIsKeptWhileItsStartsCount() {
        Bucket bucket = Bucket.of(0, null);
        long now = 1_000 * SECOND;
        for (int start = 0; start < 10; start++) {
            Bucket.Allocated deal = bucket.allocate(TEN_A_MINUTE, now, 1, 1, Duration.ZERO);
            assertThat(deal.starts().now()).isLessThanOrEqualTo(1);
            bucket = deal.after();
            now += 6 * SECOND;
        }
        assertThat(bucket.allocate(TEN_A_MINUTE, now, 10, 10, Duration.ZERO)
                        .starts()
                        .now())
                .isLessThan(10);
        assertThat(bucket.keptUntil(TEN_A_MINUTE)).isGreaterThan(now + 50 * SECOND);
        assertThat(bucket.allocate(TEN_A_MINUTE, bucket.keptUntil(TEN_A_MINUTE), 10, 10, Duration.ZERO)
                        .starts()
                        .now())
                .isEqualTo(10);
    }

    /** For example, after a failover to a server whose clock is behind. */
    @Test
    void aClockSetBackDelaysStartsOnlyBriefly() {
        long now = 10_000 * SECOND;
        Bucket.Allocated expensive = Bucket.of(0, null).allocate(TEN_A_MINUTE, now, 10, 10, Duration.ZERO);
        assertThat(expensive.starts().now()).isEqualTo(10);
        long before = now - 3_600 * SECOND;
        Bucket back = expensive.after().at(TEN_A_MINUTE, before);
        assertThat(back.allocate(TEN_A_MINUTE, before, 10, 10, Duration.ZERO)
                        .starts()
                        .now())
                .isZero();
        long soon = before + 200 * SECOND;
        assertThat(back.at(TEN_A_MINUTE, soon)
                        .allocate(TEN_A_MINUTE, soon, 10, 10, Duration.ZERO)
                        .starts()
                        .now())
                .isEqualTo(10);
    }

    /** Other jobs do not get the starts that are reserved for the expensive job, however often they request starts. */
    @Test
    void anExpensiveJobIsNotStarvedByCheapOnes() {
        Bucket bucket = Bucket.of(0, null);
        long now = 1_000 * SECOND;
        long end = now + 300 * SECOND;
        int expensive = 0;
        for (; expensive == 0 && now < end; now += SECOND) {
            Bucket.Allocated cheap = bucket.allocate(TEN_A_MINUTE, now, 1, 1, Duration.ZERO);
            Bucket.Allocated all = cheap.after().allocate(TEN_A_MINUTE, now, 10, 10, Duration.ZERO);
            expensive = all.starts().now();
            bucket = all.after();
        }
        assertThat(expensive).isEqualTo(10);
    }

    /** Workers with slow responses get starts that are valid for longer; others do not. */
    @ParameterizedTest
    @CsvSource({"1, PT1S", "7, PT1S", "100, PT1S", "10, PT60S"})
    void noIntervalHasMoreStartsThanTheRateAllows(int most, Duration per) {
        Random random = new Random(most);
        Rate rate = new Rate(most, per);
        Bucket bucket = Bucket.of(0, null);
        long span = per.toNanos() / 1000;
        long now = 1_000_000 * SECOND;
        List<Long> used = new ArrayList<>();
        for (long end = now + 60 * span; now < end; ) {
            now += 1 + (long) (random.nextDouble() * (random.nextInt(20) == 0 ? 2 * span : span / most + 1));
            boolean slow = now / (7 * span) % 3 != 0; // periods with and without slow workers
            Duration wanted = slow ? Duration.ofMillis(random.nextInt(4_000)) : Duration.ZERO;
            Bucket.Allocated deal = bucket.allocate(rate, now, random.nextInt(2 * most) + 1, 1, wanted);
            bucket = Bucket.of(deal.after().nextStart(), deal.after().costly());
            assertThat(deal.starts().goodFor()).isGreaterThanOrEqualTo(wanted);
            for (int i = 0; i < deal.starts().now(); i++) {
                long late =
                        (long) (random.nextDouble() * deal.starts().goodFor().toNanos() / 1000);
                used.add(now + (random.nextBoolean() ? 0 : late));
            }
        }
        used.sort(Long::compare);
        assertThat(used).hasSizeGreaterThan(10 * most);
        for (int i = most; i < used.size(); i++) {
            assertThat(used.get(i) - used.get(i - most))
                    .as("%d starts after the one at %d", most, used.get(i - most))
                    .isGreaterThanOrEqualTo(span);
        }
    }
}
