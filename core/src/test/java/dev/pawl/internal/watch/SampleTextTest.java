package dev.pawl.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.RunTimes;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SampleTextTest {
    private static final QueueSample MAIL = new QueueSample("mail", 1, 2, 3, 4, Duration.ofMillis(5), 6, 7);

    private static long[] counts(int bucket, long runs) {
        long[] counts = new long[RunTimes.BUCKETS];
        counts[bucket] = runs;
        return counts;
    }

    @Test
    void queuesAndRunsAreReadAsWritten() {
        List<RunLengths> runs = RunText.lengths(Map.of("send", counts(9, 40), "*", counts(60, 1)));
        assertThat(runs).extracting(RunLengths::kind).containsExactly("send", null);
        String json = SampleText.of(List.of(MAIL), runs);
        assertThat(SampleText.read(json)).isEqualTo(new SampleText.Stats(List.of(MAIL), runs));
        String withoutRuns = SampleText.of(List.of(MAIL), List.of());
        assertThat(withoutRuns)
                .isEqualTo(
                        "{\"queues\":{\"mail\":{\"available\":1,\"delayed\":2,\"retrying\":3,\"running\":4,\"oldest_ms\":5,"
                                + "\"completed\":6,\"discarded\":7}}}");
        assertThat(SampleText.read(withoutRuns).runs()).isEmpty();
    }

    @Test
    void numbersThatAreZeroAreLeftOutAndUnknownFieldsAreSkipped() {
        QueueSample idle = new QueueSample("idle", 0, 0, 0, 0, null, 0, 0);
        String json = SampleText.of(List.of(idle), List.of());
        assertThat(json).isEqualTo("{\"queues\":{\"idle\":{}}}");
        assertThat(SampleText.read(json).queues()).containsExactly(idle);
        String newer =
                " {\"v\": [1, \"a\\\"}\", {}, null] , \"queues\":\n{\"idle\" : {\"other\":-1.5e3,\"more\":{\"a\":[]}}}}";
        assertThat(SampleText.read(newer).queues()).containsExactly(idle);
        assertThat(SampleText.read("").queues()).isEmpty();
        assertThat(SampleText.read("{\"queues\":{\"idle\":{},\"mail\":{\"running\":x}}}")
                        .queues())
                .containsExactly(idle);
    }

    @Test
    void theBusiestKindsAreSampledSeparately() {
        Map<String, long[]> kinds = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            kinds.put("kind" + i, counts(5, 1 + i));
        }
        List<RunLengths> told = new ArrayList<>(SampleText.read(SampleText.of(List.of(), RunText.lengths(kinds)))
                .runs());
        assertThat(told).hasSize(21);
        assertThat(told.get(20).kind()).isNull();
        assertThat(told)
                .extracting(RunLengths::kind)
                .contains("kind99", "kind80")
                .doesNotContain("kind79");
        assertThat(RunLengths.together(told).runs()).isEqualTo(5_050);
    }
}
