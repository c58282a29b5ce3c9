package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IdSetTest {
    private static IdSet written(long after, IdSet ids) {
        return IdSet.read(after, ids.last(), ids.size(), ids.steps(after));
    }

    @Test
    void consecutiveIdsNeedNoText() {
        IdSet ids = IdSet.ofOwned(LongStream.rangeClosed(11, 20).boxed().toList());
        assertThat(ids.steps(10)).isNull();
        assertThat(ids.steps(7)).isNull();
        assertThat(ids.fills(10)).isTrue();
        assertThat(ids.fills(7)).as("8 to 10 may come late").isFalse();
        assertThat(written(7, ids).all()).isEqualTo(ids.all());
    }

    @Test
    void stepsAreWrittenWithTheirNumber() {
        IdSet ids = IdSet.ofOwned(List.of(5L, 7L, 9L, 11L, 12L, 20L));
        assertThat(ids.steps(3)).isEqualTo("2*4 1 8");
        assertThat(written(3, ids).all()).isEqualTo(ids.all());
        assertThat(ids.positionOf(9)).isEqualTo(2);
        assertThat(ids.positionOf(10)).isNegative();
    }

    @Test
    void anySetIsReadAsWritten() {
        Random random = new Random(42);
        for (int round = 0; round < 500; round++) {
            long after = random.nextInt(1000);
            List<Long> ids = new ArrayList<>();
            long id = after;
            for (int i = random.nextInt(50); i >= 0; i--) {
                id += random.nextBoolean() ? 1 : 1 + random.nextInt(5);
                ids.add(id);
            }
            IdSet set = IdSet.ofOwned(ids);
            assertThat(written(after, set).all()).isEqualTo(ids);
            assertThat(set.fills(after)).isEqualTo(ids.size() == id - after);
        }
    }
}
