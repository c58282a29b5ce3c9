package dev.pawl.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunTimesTest {
    private static long[] counts(int bucket, long... counts) {
        long[] all = new long[RunTimes.BUCKETS];
        System.arraycopy(counts, 0, all, bucket, counts.length);
        return all;
    }

    @Test
    void bucketsAreContiguous() {
        assertThat(RunTimes.bucket(0)).isZero();
        assertThat(RunTimes.bucket(-1)).isZero();
        assertThat(RunTimes.bucket(Long.MAX_VALUE)).isEqualTo(RunTimes.BUCKETS - 1);
        assertThat(RunTimes.bucket(Duration.ofDays(13).toNanos())).isLessThan(RunTimes.BUCKETS - 1);
        for (int bucket = 0; bucket < RunTimes.BUCKETS; bucket++) {
            assertThat(RunTimes.bucket(RunTimes.from(bucket))).isEqualTo(bucket);
            long end = RunTimes.from(bucket + 1);
            assertThat(RunTimes.bucket(end - 1)).isEqualTo(bucket);
            assertThat(end).isGreaterThan(RunTimes.from(bucket));
        }
    }

    @Test
    void writtenTimesAreRead() {
        assertThat(RunTimes.json(Map.of())).isNull();
        assertThat(RunTimes.json(Map.of("mail", new long[RunTimes.BUCKETS]))).isNull();
        Map<String, long[]> kinds = Map.of(
                "mail/v2:a",
                counts(12, 1, 0, 40),
                "*",
                counts(0, Long.MAX_VALUE),
                "last",
                counts(RunTimes.BUCKETS - 1, 36));
        String json = RunTimes.json(kinds);
        assertThat(json)
                .isEqualTo("{\"*\":{\"0\":9223372036854775807},\"last\":{\"1125899906843\":36},"
                        + "\"mail/v2:a\":{\"3146\":1,\"6292\":40}}");
        Map<String, long[]> read = RunTimes.read(json);
        assertThat(read).containsOnlyKeys(kinds.keySet());
        kinds.forEach((kind, counts) -> assertThat(read.get(kind)).containsExactly(counts));
    }

    @Test
    void eachBucketIsReadAsWritten() {
        long[] all = new long[RunTimes.BUCKETS];
        Arrays.setAll(all, bucket -> bucket + 1L);
        assertThat(RunTimes.read(RunTimes.json(Map.of("all", all))).get("all")).containsExactly(all);
    }

    @Test
    void whatCannotBeReadIsLeftOut() {
        assertThat(RunTimes.read(null)).isEmpty();
        assertThat(RunTimes.read("ok 1:1\n")).isEmpty();
        assertThat(RunTimes.read("{\"ok\":{\"1\":1},\"mail\":{\"x\":1}}")).containsOnlyKeys("ok");
        assertThat(RunTimes.read("{\"ok\":{\"1\":1},\"mail\":[1]}")).containsOnlyKeys("ok");
    }
}
