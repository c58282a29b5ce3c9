package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private final ServerClock clock = new ServerClock("w", Duration.ofHours(1));
    /** Leases and permits are trusted this long after the first reading, but the wait after a step of the clock takes longer. */
    private final long begun = System.nanoTime() - TimeUnit.MINUTES.toNanos(40);

    /**
     * Reads the database's clock, which shows {@code server} seconds. The call takes one second, from {@code here} by this process's clock.
     */
    private void read(long server, long here) {
        clock.read(TimeUnit.SECONDS.toMicros(1_000_000 + server), begun + here * SECOND, begun + (here + 1) * SECOND);
    }

    @Test
    void clocksThatGoTogetherAreSteady() {
        read(0, 0);
        read(10, 10);
        read(3_610, 3_607);
        assertThat(clock.isSteady()).isTrue();
    }

    /** The response to the first call may have arrived long after the server had read its clock. */
    @Test
    void aSlowCallIsNoJump() {
        clock.read(TimeUnit.SECONDS.toMicros(1_000_000), begun, begun + 60 * SECOND);
        clock.read(TimeUnit.SECONDS.toMicros(1_000_060), begun + 60 * SECOND, begun + 60 * SECOND);
        assertThat(clock.isSteady()).isTrue();
    }

    @Test
    void aStepForwardIsNoticed() {
        read(0, 0);
        read(20, 10);
        assertThat(clock.isSteady()).isFalse();
    }

    /** Leases then last longer than they should, which does not harm running jobs. */
    @Test
    void aStepBackDoesNotPreventRescues() {
        read(100, 0);
        read(20, 10);
        assertThat(clock.isSteady()).isTrue();
    }

    /**
     * Regression: no worker rescued the jobs of a dead worker. Readings alternated between nodes of a cluster, so every second reading
     * looked like a jump.
     */
    @Test
    void nodesWhoseClocksDifferDoNotLookLikeSteps() {
        for (int round = 0; round < 5; round++) {
            read(20L * round, 20L * round);
            read(20 * round + 5, 20 * round + 10);
        }
        assertThat(clock.isSteady()).isTrue();
    }

    @Test
    void aStepForwardIsNoticedEvenIfTheClockOnceShowedThatTime() {
        read(10_000, 0);
        read(10, 10);
        read(5_010, 5_010);
        read(15_020, 5_020);
        assertThat(clock.isSteady()).isFalse();
    }

    @Test
    void expiredLeasesAreTrustedAgainAfterAWhile() {
        ServerClock quick = new ServerClock("w", Duration.ZERO);
        quick.read(1, begun, begun);
        quick.read(TimeUnit.HOURS.toMicros(1), begun, begun);
        assertThat(quick.isSteady()).isTrue();
    }

    /** Permits of other workers are valid until they have expired by the clock of this process, too. */
    @Test
    void aStepForwardDoesNotEndPermitsOfOtherWorkers() {
        clock.read(TimeUnit.SECONDS.toMicros(1_000_000), begun, begun);
        clock.read(TimeUnit.SECONDS.toMicros(2_000_000), begun, begun);
        assertThat(clock.latest()).isBetween(seconds(1_000_001), seconds(1_003_600));
        clock.read(TimeUnit.SECONDS.toMicros(2_003_600), begun + 3_600 * SECOND, begun + 3_600 * SECOND);
        assertThat(clock.latest()).as("an hour later it is believed").isGreaterThan(seconds(1_999_000));
    }

    @Test
    void aStepBackIsBelievedAtOnce() {
        clock.read(TimeUnit.SECONDS.toMicros(2_000_000), begun, begun);
        clock.read(TimeUnit.SECONDS.toMicros(1_000_000), begun, begun);
        assertThat(clock.latest()).isBetween(seconds(1_000_001), seconds(1_003_600));
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toMicros(seconds);
    }

    /** The clock may have been set just before its first reading. Half a lease later, each live worker has renewed its leases. */
    @Test
    void aClockThatWasJustReadForTheFirstTimeEndsNoLeases() {
        long[] now = {begun};
        ServerClock fresh = new ServerClock("w", Duration.ofSeconds(20), () -> now[0]);
        fresh.read(1_000_000, begun, begun);
        assertThat(fresh.isSteady()).isFalse();
        assertThat(fresh.isSteady(Duration.ofSeconds(30)))
                .as("no step was seen")
                .isTrue();
        now[0] += 9 * SECOND;
        fresh.read(10_000_000, now[0], now[0]);
        assertThat(fresh.isSteady()).isFalse();
        now[0] += SECOND;
        assertThat(fresh.isSteady()).isTrue();
    }

    @Test
    void aClockThatWasJustReadForTheFirstTimeEndsNoShares() {
        long[] now = {begun};
        ServerClock fresh = new ServerClock("w", Duration.ofSeconds(20), () -> now[0]);
        assertThat(fresh.latest()).as("unknown").isZero();
        fresh.read(1_000_000, begun, begun);
        assertThat(fresh.latest()).isZero();
        now[0] += 10 * SECOND;
        assertThat(fresh.latest()).isGreaterThanOrEqualTo(11_000_000);
    }

    @Test
    void itReturnsTheAgeOfAMoment() {
        assertThat(clock.since(Instant.MAX)).as("unknown").isEqualTo(Duration.ofDays(1));
        clock.read(TimeUnit.SECONDS.toMicros(1_000_000), begun, System.nanoTime());
        assertThat(clock.since(Instant.ofEpochSecond(999_990))).isBetween(Duration.ofSeconds(10), Duration.ofHours(1));
    }
}
