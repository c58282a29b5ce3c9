package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final long MILLI = 1_000_000;

    private static void assertAbout(long wait, long millis) {
        assertThat(wait).isBetween(millis * MILLI * 8 / 10, millis * MILLI * 12 / 10);
    }

    @Test
    void itDoublesUpToTheLongest() {
        Backoff backoff = new Backoff(100, 350);
        assertAbout(backoff.next(), 100);
        assertAbout(backoff.next(), 200);
        assertAbout(backoff.next(), 350);
        assertAbout(backoff.next(), 350);
        backoff.reset();
        assertAbout(backoff.next(), 100);
    }

    @Test
    void theShortestIsNotLongerThanTheLongest() {
        assertAbout(new Backoff(5_000, 20).next(), 20);
    }

    @Test
    void workersThatStartTogetherDoNotStayTogether() {
        LongSummaryStatistics waits =
                LongStream.range(0, 1000).map(i -> new Backoff(100, 100).next()).summaryStatistics();
        assertThat(waits.getMin()).isLessThan(90 * MILLI);
        assertThat(waits.getMax()).isGreaterThan(110 * MILLI);
    }
}
