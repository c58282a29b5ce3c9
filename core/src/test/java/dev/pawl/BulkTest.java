package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.BulkResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkTest {
    /** {@return how many jobs each batch has} */
    private static List<Integer> batches(List<String> payloads) {
        List<Integer> sizes = new ArrayList<>();
        BulkResult result =
                Bulk.write(payloads, payload -> new JobRequest("kind", payload, EnqueueOptions.DEFAULTS), batch -> {
                    sizes.add(batch.size());
                    return batch.stream()
                            .<EnqueueResult>map(job -> new EnqueueResult.Inserted(1))
                            .toList();
                });
        assertThat(result.inserted()).isEqualTo(payloads.size());
        return sizes;
    }

    private static List<String> payloads(int count, String payload) {
        return IntStream.range(0, count).mapToObj(i -> payload).toList();
    }

    @Test
    void batchesOfSmallJobsAreBoundedByNumber() {
        assertThat(batches(payloads(2500, "{}"))).containsExactly(1000, 1000, 500);
        assertThat(batches(payloads(1000, "{}"))).containsExactly(1000);
        assertThat(batches(List.of())).isEmpty();
    }

    @Test
    void batchesOfLargeJobsAreBoundedBySize() {
        assertThat(batches(payloads(10, "x".repeat(1_000_000)))).containsExactly(4, 4, 2);
        assertThat(batches(payloads(10, "ü".repeat(1_000_000)))).containsExactly(2, 2, 2, 2, 2);
        assertThat(batches(payloads(4, "日".repeat(700_000)))).containsExactly(1, 1, 1, 1);
        assertThat(batches(payloads(4, "🦀".repeat(300_000)))).containsExactly(3, 1);
    }

    @Test
    void aJobLargerThanABatchIsWrittenAlone() {
        String large = "x".repeat(9_000_000);
        assertThat(batches(List.of("{}", "{}", large, "{}"))).containsExactly(2, 1, 1);
    }
}
