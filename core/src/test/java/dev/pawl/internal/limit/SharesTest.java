package dev.pawl.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.LimitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final long NOW = 1_000;
    private static final long LATER = NOW + LimitSource.SHARE.toNanos() / 1000;

    private static Shares shares(int places, Shares.Share... others) {
        return Shares.of(places, List.of(others), NOW);
    }

    private static Shares.Share other(int share, int wants) {
        return new Shares.Share(2, share, wants, LATER);
    }

    @Test
    void aSingleWorkerGetsItsRequest() {
        assertThat(shares(10).allocate(0, 4, true)).isEqualTo(4);
        assertThat(shares(10).allocate(0, 40, true)).isEqualTo(10);
        assertThat(shares(10).fair(10)).isEqualTo(10);
    }

    @Test
    void aLaterWorkerGetsTheRestAndRecordsItsRequest() {
        assertThat(shares(10, other(8, 0)).allocate(0, 5, true)).isEqualTo(2);
        assertThat(shares(10, other(2, 3)).fair(8))
                .as("its part is 5, and 3 are wanted")
                .isEqualTo(5);
        assertThat(shares(10, other(2, 1)).fair(8)).as("only one is wanted").isEqualTo(7);
        assertThat(shares(10, other(5, 5)).fair(5)).as("it has its part").isEqualTo(5);
    }

    @Test
    void contendingWorkersGetEqualParts() {
        assertThat(shares(10, other(3, 7)).allocate(1, 9, true)).isEqualTo(5);
        assertThat(shares(10, other(3, 0)).allocate(1, 9, true)).isEqualTo(7);
    }

    @Test
    void aSatisfiedWorkerGetsNothingThatOthersRequest() {
        assertThat(shares(10, other(3, 7)).allocate(0, 1, false)).isZero();
        assertThat(shares(10, other(3, 0)).allocate(0, 1, false)).isEqualTo(1);
    }

    @Test
    void withFewerPermitsThanWorkersSomeHaveNone() {
        assertThat(shares(1, other(1, 0)).allocate(0, 1, true)).isZero();
        assertThat(shares(1, other(0, 1)).fair(1)).isEqualTo(1);
        assertThat(shares(0, other(0, 1)).allocate(0, 1, true)).isZero();
    }

    @Test
    void aLoweredLimitRequestsPermitsBackWithoutTakingThem() {
        Shares shares = shares(2, other(5, 0));
        assertThat(shares.allocate(5, 8, true)).isEqualTo(5);
        assertThat(shares.fair(5)).isZero();
        assertThat(shares.allocate(5, 3, true)).as("it returns the permits").isEqualTo(3);
    }

    @Test
    void expiredPermitsCountWhileTheirLeasesLast() {
        Shares.Share dead = new Shares.Share(2, 3, 9, NOW);
        assertThat(shares(5, dead).allocate(0, 5, true)).isEqualTo(2);
        assertThat(shares(5, dead).fair(2)).as("a dead worker wants nothing").isEqualTo(2);
    }

    /** A dead worker's permits count while its jobs may still run, but its request reserves nothing against live workers. */
    @Test
    void requestsOfADeadWorkerAreForgotten() {
        long diedSixSecondsAgo = LATER - 6_000_000;
        Shares shares =
                shares(3, new Shares.Share(2, 1, 0, diedSixSecondsAgo), new Shares.Share(3, 0, 1, diedSixSecondsAgo));
        assertThat(shares.allocate(1, 6, true)).isEqualTo(2);
        assertThat(shares.wanted()).isZero();
        long askedThreeSecondsAgo = LATER - 3_000_000;
        assertThat(shares(3, new Shares.Share(2, 1, 0, LATER), new Shares.Share(3, 0, 1, askedThreeSecondsAgo))
                        .allocate(1, 6, true))
                .as("the last place is for who wants it")
                .isEqualTo(1);
    }

    /** Workers with random requests in random order never have more than the limit together. */
    @RepeatedTest(50)
    void theLimitIsNeverExceeded(RepetitionInfo seed) {
        Random random = new Random(seed.getCurrentRepetition());
        int places = random.nextInt(12);
        List<Shares.Share> all = new ArrayList<>();
        int workers = 1 + random.nextInt(5);
        for (int i = 0; i < workers; i++) {
            all.add(new Shares.Share(i, 0, 0, LATER));
        }
        for (int step = 0; step < 300; step++) {
            Shares.Share mine = all.get(random.nextInt(workers));
            List<Shares.Share> others = new ArrayList<>(all);
            others.remove(mine);
            Shares shares = Shares.of(places, others, NOW);
            int asked = random.nextInt(15);
            int dealt = shares.allocate(mine.permits(), asked, random.nextBoolean());
            int wants = random.nextBoolean() ? Math.max(0, asked - dealt) : 0;
            all.set((int) mine.workerId(), new Shares.Share(mine.workerId(), dealt, wants, LATER));
            assertThat(dealt).isBetween(0, Math.max(asked, mine.permits()));
            assertThat(all.stream().mapToInt(Shares.Share::permits).sum()).isLessThanOrEqualTo(places);
            assertThat(shares.fair(dealt)).isLessThanOrEqualTo(Math.max(dealt, places));
        }
    }
}
