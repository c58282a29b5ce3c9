package dev.pawl.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.internal.store.JobKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ParallelReleaseTest {
    private final ParallelRelease parallel = new ParallelRelease();

    @AfterEach
    void end() {
        parallel.end();
    }

    private static List<JobKey> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> new JobKey("q", "k" + i)).toList();
    }

    @Test
    void fewAreTakenTogether() throws Exception {
        List<List<JobKey>> taken = new ArrayList<>();
        parallel.release(keys(15), (some, together) -> taken.add(some));
        assertThat(taken).containsExactly(keys(15));
    }

    @Test
    void manyAreTakenInTwoHalves() throws Exception {
        List<JobKey> taken = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 100; i++) {
            taken.clear();
            parallel.release(keys(101), (some, together) -> {
                assertThat(some).hasSizeBetween(50, 51);
                assertThat(together).isEqualTo(2);
                taken.addAll(some);
            });
            assertThat(taken).containsExactlyInAnyOrderElementsOf(keys(101));
        }
    }

    /** If either half fails, the other one is released, and the caller gets the error. */
    @Test
    void aHalfThatFailsDoesNotStopTheOther() {
        List<JobKey> all = keys(20);
        for (JobKey first : List.of(all.get(0), all.get(10))) {
            List<JobKey> taken = Collections.synchronizedList(new ArrayList<>());
            assertThatThrownBy(() -> parallel.release(all, (some, together) -> {
                        if (some.contains(first)) {
                            throw new SQLException("away", "08001");
                        }
                        taken.addAll(some);
                    }))
                    .isInstanceOf(SQLException.class)
                    .hasMessage("away");
            assertThat(taken).hasSize(10).doesNotContain(first);
        }
    }
}
