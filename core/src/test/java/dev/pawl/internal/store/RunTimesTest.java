package dev.pawl.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
        assertThat(RunTimes.text(Map.of())).isNull();
        assertThat(RunTimes.text(Map.of("mail", new long[RunTimes.BUCKETS]))).isNull();
        Map<String, long[]> kinds = Map.of(
                "mail/v2:a",
                counts(12, 1, 0, 40),
                "*",
                counts(0, Long.MAX_VALUE),
                "last",
                counts(RunTimes.BUCKETS - 1, 36));
        String text = RunTimes.text(kinds);
        assertThat(text).isEqualTo("* 0:1y2p0ij32e8e7\nlast 69:10\nmail/v2:a 12:1,,14\n");
        Map<String, long[]> read = RunTimes.read(text);
        assertThat(read).containsOnlyKeys(kinds.keySet());
        kinds.forEach((kind, counts) -> assertThat(read.get(kind)).containsExactly(counts));
    }

    @Test
    void unknownTextIsSkipped() {
        assertThat(RunTimes.read(null)).isEmpty();
        assertThat(
                        RunTimes.read(
                                "mail 70:1\nmail 69:1,1\nmail -1:1\nmail 1:?\nmail x:1\nmail\n 1:1\n1 0 0 0 -1 0 0 a:b\nmail 1:1 more\nok 1:1"))
                .containsOnlyKeys("ok");
    }
}
