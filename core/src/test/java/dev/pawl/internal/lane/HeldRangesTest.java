package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldRangesTest {
    private static final long TOKEN = 9;
    private static final Lease LEASE = new Lease(7, TOKEN);

    private final HeldRanges held = new HeldRanges();

    private HeldRange hold(Duration lease) {
        HeldRange range =
                new HeldRange(new RangeKey(1, 6), 1, TOKEN, IdSet.ofOwned(List.of(7L)), List.of("greet"), lease);
        Job job = Job.builder(7, "greet", "default").leaseToken(TOKEN).build();
        held.add(new LaneClaim.Won(range, List.of(new Grant(job)), List.of()));
        return range;
    }

    /** Otherwise the move would wait for the end of the job's transaction while it holds the lock of the range. */
    @Test
    void noTransactionOfAJobBeginsWhileItMoves() {
        HeldRange range = hold(Duration.ofDays(1));
        BitSet first = new BitSet();
        first.set(0);
        assertThat(range.leave(first)).isEqualTo(first);
        assertThat(range.leave(first)).isEqualTo(first);
        range.haveLeft();
        assertThat(range.beginTransaction(0)).isFalse();
        assertThat(range.hadTransaction(0)).isTrue();
    }

    @Test
    void aJobDoesNotMoveDuringItsTransaction() {
        HeldRange range = hold(Duration.ofDays(1));
        BitSet first = new BitSet();
        first.set(0);
        assertThat(range.beginTransaction(0)).isTrue();
        assertThat(range.leave(first).isEmpty()).isTrue();
        range.haveLeft();
        range.endTransaction(0);
        assertThat(range.leave(first)).isEqualTo(first);
    }

    /** A lease of a day is renewed every six hours. */
    @Test
    void aRangeIsKeptUntilItsLeaseExpires() {
        HeldRange range = hold(Duration.ofDays(1));
        held.forget(0);
        assertThat(held.of(LEASE)).isSameAs(range);
    }

    @Test
    void expiredRangesAreForgottenAfterAWhile() {
        HeldRange range = hold(Duration.ZERO);
        held.forget(Duration.ofHours(1).toNanos());
        assertThat(held.of(LEASE)).isSameAs(range);
        held.forget(0);
        assertThat(held.of(LEASE)).isNull();
    }
}
