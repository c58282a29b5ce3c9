package dev.pawl.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.LimitSource;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuotaTest {
    private final Quota quota = new Quota(Subject.kind("greet"), 0);

    private void theOnlyPlaceIsDealt(long now) {
        var places = new LimitSource.Places(1, 1, 1);
        boolean unused = quota.dealt(new LimitSource.Dealt(true, places, null, Duration.ZERO, false), 1, now, now);
    }

    /** Otherwise later workers would never get a permit. */
    @Test
    void withFewerPermitsThanWorkersTheyTakeTurns() {
        quota.waiting(1, 100, 0);
        for (int second = 0; second <= 9; second++) {
            long now = TimeUnit.SECONDS.toNanos(second);
            theOnlyPlaceIsDealt(now);
            if (second > 0) {
                boolean unused = quota.leave(now);
            }
            assertThat(quota.free(1, now)).as("after %d s", second).isEqualTo(1);
            assertThat(quota.enter(1, now)).isEqualTo(Gate.ANY_TIME);
        }
        long now = TimeUnit.SECONDS.toNanos(11);
        theOnlyPlaceIsDealt(now);
        boolean unused = quota.leave(now);
        assertThat(quota.free(1, now)).isZero();
        assertThat(quota.givesBack()).isTrue();
    }

    /** It may have started before the outage was known. */
    @Test
    void successIsNotReportedDuringAPause() {
        long second = TimeUnit.SECONDS.toNanos(1);
        quota.unavailable(second);
        assertThat(quota.worksAgain(0)).isFalse();
        assertThat(quota.worksAgain(2 * second)).isTrue();
    }
}
