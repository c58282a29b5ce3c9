package dev.pawl.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.Admission.Limiter;
import dev.pawl.internal.store.Allocation;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LocalLimitTest {
    private final LocalLimit localLimit = new LocalLimit(Subject.kind("greet"), 0);

    private void theOnlyPermitIsAllocated(long now) {
        var places = new Allocation.Permits(1, 1, 1);
        boolean unused = localLimit.allocated(new Allocation(true, places, null, Duration.ZERO, false), 1, now, now);
    }

    /** Otherwise workers that started later would never get a permit. */
    @Test
    void workersTakeTurnsWhereThereAreFewerPermits() {
        localLimit.waiting(1, 100, 0);
        for (int second = 0; second <= 9; second++) {
            long now = TimeUnit.SECONDS.toNanos(second);
            theOnlyPermitIsAllocated(now);
            if (second > 0) {
                boolean unused = localLimit.release(now);
            }
            assertThat(localLimit.free(1, now)).as("after %d s", second).isEqualTo(1);
            assertThat(localLimit.acquire(1, now)).isEqualTo(Limiter.ANY_TIME);
        }
        long now = TimeUnit.SECONDS.toNanos(11);
        theOnlyPermitIsAllocated(now);
        boolean unused = localLimit.release(now);
        assertThat(localLimit.free(1, now)).isZero();
        assertThat(localLimit.isReturning()).isTrue();
    }

    /** The successful run may have started before the pause. */
    @Test
    void aSuccessIsNotReportedDuringAPause() {
        long second = TimeUnit.SECONDS.toNanos(1);
        localLimit.unavailable(second);
        assertThat(localLimit.worksAgain(0)).isFalse();
        assertThat(localLimit.worksAgain(2 * second)).isTrue();
    }
}
