package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryGuardTest {
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(50);

    private final Figures heap = new Figures();
    private final MemoryGuard mark = new MemoryGuard("test", 0.8, heap, 0);
    private long now;

    private static final class Figures implements MemoryGuard.Heap {
        double live;
        double used;
        int collections;
        int looks;

        @Override
        public double afterCollection() {
            looks++;
            return live;
        }

        @Override
        public double now() {
            return used;
        }

        @Override
        public void collect() {
            collections++;
        }
    }

    private boolean pauses(double live, double used) {
        heap.live = live;
        heap.used = used;
        now += INTERVAL;
        return mark.mustPause(false, now);
    }

    @Test
    void claimsPauseAboveMaxHeapUseAndResumeBelowIt() {
        assertThat(pauses(0.5, 0.95)).as("that is garbage").isFalse();
        assertThat(pauses(0.81, 0.95)).isTrue();
        assertThat(mark.isPausing()).isTrue();
        assertThat(pauses(0.81, 0.9)).isTrue();
        assertThat(pauses(0.4, 0.9)).isFalse();
        assertThat(mark.isPausing()).isFalse();
        assertThat(mark.times()).isEqualTo(1);
    }

    /** The figure of the last collection may be outdated, but memory in use is an upper bound of live memory. */
    @Test
    void claimsDoNotPauseIfTheHeapIsNotFullNow() {
        assertThat(pauses(0.9, 0.95)).isTrue();
        assertThat(pauses(0.9, 0.5)).isFalse();
    }

    @Test
    void theHeapIsNotReadForEveryClaim() {
        pauses(0.9, 0.95);
        heap.live = 0;
        assertThat(mark.mustPause(false, now + INTERVAL - 1)).isTrue();
        assertThat(heap.looks).isEqualTo(1);
        assertThat(mark.mustPause(false, now + INTERVAL)).isFalse();
    }

    @Test
    void whereNothingRunsItAsksForACollectionNowAndThen() {
        pauses(0.9, 0.95);
        now += TimeUnit.SECONDS.toNanos(2);
        mark.mustPause(false, now);
        assertThat(heap.collections).as("what runs will cause one").isZero();
        for (int i = 0; i < 29 * 20; i++) {
            now += INTERVAL;
            mark.mustPause(true, now);
        }
        assertThat(heap.collections).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(2);
        mark.mustPause(true, now);
        assertThat(heap.collections).isEqualTo(2);
    }

    @Test
    void withoutALimitTheHeapIsNotRead() {
        assertThat(new MemoryGuard("test", 0, null, 0).mustPause(true, INTERVAL))
                .isFalse();
    }

    /** Neither live memory nor freed memory is known before a collection. */
    @Test
    void theFiguresAreThoseOfTheJvm() {
        JvmHeap jvm = new JvmHeap();
        assertThat(jvm.isKnown()).isTrue();
        int size = (int) Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);
        double part = 0.9 * size / Runtime.getRuntime().maxMemory();
        byte[] kept = new byte[size];
        jvm.collect();
        double with = jvm.afterCollection();
        assertThat(with).isGreaterThan(part).isLessThan(1);
        assertThat(jvm.now()).isGreaterThan(part);
        assertThat(kept).hasSize(size);
        kept = new byte[0];
        jvm.collect();
        assertThat(jvm.afterCollection()).isLessThan(with - part / 2);
        assertThat(kept).isEmpty();
    }
}
