package dev.pawl.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.limit.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BucketTest {
    private static final long SECOND = 1_000_000;
    private static final Rate TEN_A_MINUTE = new Rate(10, Duration.ofMinutes(1));

    /** One that was forgotten would allow a dear job what cheap ones have used up. */
    @Test
    void itIsKeptForAsLongAsItsStartsCount() {
        Bucket bucket = Bucket.of(0, null);
        long now = 1_000 * SECOND;
        for (int start = 0; start < 10; start++) {
            Bucket.Deal deal = bucket.deal(TEN_A_MINUTE, now, 1, 1);
            assertThat(deal.starts().now()).isLessThanOrEqualTo(1);
            bucket = deal.after();
            now += 6 * SECOND;
        }
        assertThat(bucket.deal(TEN_A_MINUTE, now, 10, 10).starts().now()).isLessThan(10);
        assertThat(bucket.keptUntil(TEN_A_MINUTE)).isGreaterThan(now + 50 * SECOND);
        assertThat(bucket.deal(TEN_A_MINUTE, bucket.keptUntil(TEN_A_MINUTE), 10, 10)
                        .starts()
                        .now())
                .isEqualTo(10);
    }

    /** As after a failover to a server whose clock is behind. */
    @Test
    void aClockThatIsSetBackHoldsNothingUpForLong() {
        long now = 10_000 * SECOND;
        Bucket.Deal dear = Bucket.of(0, null).deal(TEN_A_MINUTE, now, 10, 10);
        assertThat(dear.starts().now()).isEqualTo(10);
        long before = now - 3_600 * SECOND;
        Bucket back = dear.after().at(TEN_A_MINUTE, before);
        assertThat(back.deal(TEN_A_MINUTE, before, 10, 10).starts().now()).isZero();
        long soon = before + 200 * SECOND;
        assertThat(back.at(TEN_A_MINUTE, soon)
                        .deal(TEN_A_MINUTE, soon, 10, 10)
                        .starts()
                        .now())
                .isEqualTo(10);
    }

    /** What is reserved for it others leave to it, however often they ask. */
    @Test
    void aDearJobDoesNotWaitForEverBesideCheapOnes() {
        Bucket bucket = Bucket.of(0, null);
        long now = 1_000 * SECOND;
        long end = now + 300 * SECOND;
        int dear = 0;
        for (; dear == 0 && now < end; now += SECOND) {
            Bucket.Deal cheap = bucket.deal(TEN_A_MINUTE, now, 1, 1);
            Bucket.Deal all = cheap.after().deal(TEN_A_MINUTE, now, 10, 10);
            dear = all.starts().now();
            bucket = all.after();
        }
        assertThat(dear).isEqualTo(10);
    }
}
