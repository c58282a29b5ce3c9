package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FailurePausesTest {
    private final FailurePauses pauses = new FailurePauses(new FakeStore());

    private long[] millis(int count, Throwable error) {
        return LongStream.generate(() -> TimeUnit.NANOSECONDS.toMillis(pauses.next(error)))
                .limit(count)
                .toArray();
    }

    /** A pool of ten connections to a server that is gone is used up within a second. */
    @Test
    void outagesBeginWithShortPausesAndStayBelowASecond() {
        long[] millis = millis(10, new IllegalStateException(FakeStore.away()));
        assertThat(millis[0]).isBetween(16L, 24L);
        assertThat(millis[9]).isBetween(800L, 1_200L);
        assertThat(LongStream.of(millis).limit(5).sum()).isLessThan(1_000);
    }

    @Test
    void conflictsHaveShorterPausesThanOtherFailures() {
        assertThat(LongStream.of(millis(10, new SQLException("conflict", "40001")))
                        .max()
                        .orElseThrow())
                .isLessThanOrEqualTo(1_200);
        assertThat(LongStream.of(millis(10, new SQLException("disk full", "53100")))
                        .max()
                        .orElseThrow())
                .isGreaterThanOrEqualTo(4_000);
    }

    @Test
    void aSuccessStartsThemAgain() {
        long[] unused = millis(10, FakeStore.away());
        pauses.reset();
        assertThat(millis(1, FakeStore.away())[0]).isLessThanOrEqualTo(24);
    }
}
