package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.FailureGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailureRowTest {
    private static FailureGroup group(Instant last, List<Integer> hours, boolean isPartial) {
        return new FailureGroup(
                "00000000",
                "java.lang.IllegalStateException at com.example.Printer.print",
                "print",
                "default",
                7,
                3,
                1,
                2,
                last.minusSeconds(60),
                last,
                "java.lang.IllegalStateException: the printer has no paper\n\tat com.example.Printer.print(Printer.java:1)",
                List.of(1L),
                List.of(2L, 3L),
                hours,
                isPartial);
    }

    @Test
    void titlesAreTheWordsOfTheProgram() {
        assertThat(FailureRow.title("java.lang.IllegalStateException: no paper: tray 2\n\tat a.B.c(B.java)"))
                .isEqualTo("no paper: tray 2");
        assertThat(FailureRow.title("java.lang.NullPointerException")).isEqualTo("NullPointerException");
        assertThat(FailureRow.title("java.lang.IllegalStateException: ")).isEqualTo("IllegalStateException");
        assertThat(FailureRow.title("exit code 7")).isEqualTo("exit code 7");
        assertThat(FailureRow.title("")).isEqualTo("no message");
    }

    @Test
    void barsShowTheLastHours() {
        List<Integer> hours = new ArrayList<>(Collections.nCopies(24, 0));
        hours.set(0, 2);
        hours.set(23, 4);
        FailureRow row = FailureRow.of(group(Instant.now().minusSeconds(60), hours, false));
        assertThat(row.bars()).isEqualTo("M2.5 21v-10M117.5 21v-20");
        assertThat(row.summary()).endsWith("at most 4 in one");
        assertThat(row.isOngoing()).isTrue();
        assertThat(row.jobs()).containsExactly(1L, 2L, 3L);
        assertThat(FailureRow.of(group(Instant.now().minus(Duration.ofHours(1)), hours, false))
                        .isOngoing())
                .isFalse();
    }

    /** A button changes all jobs with the cause, also those that were not read. */
    @Test
    void confirmationsOfPartialGroupsSayAtLeast() {
        List<Integer> hours = Collections.nCopies(24, 0);
        FailureRow whole = FailureRow.of(group(Instant.now(), hours, false));
        assertThat(whole.affected(3)).isEqualTo("3 jobs");
        assertThat(whole.parameters(3)).isEqualTo(Map.of("group", "00000000", "expected", "3"));
        FailureRow partial = FailureRow.of(group(Instant.now(), hours, true));
        assertThat(partial.affected(3)).isEqualTo("At least 3 jobs, all with this cause,");
        assertThat(partial.parameters(3)).isEqualTo(Map.of("group", "00000000"));
    }
}
