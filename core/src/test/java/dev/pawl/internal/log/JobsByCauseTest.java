package dev.pawl.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobsByCauseTest {
    private final JobsByCause jobs = new JobsByCause();

    private List<String> told() {
        List<String> lines = new ArrayList<>();
        jobs.report((line, error) -> lines.add(error == null ? line : line + " " + error.getMessage()));
        return lines;
    }

    @Test
    void failuresWithOneCauseAreOneLine() {
        for (long id = 1; id <= 1_000; id++) {
            jobs.add("refused", id);
        }
        jobs.add("lost", 7, new IllegalStateException("first"));
        jobs.add("lost", 8, new IllegalStateException("second"));
        jobs.add("lost", 7, new IllegalStateException("third"));
        jobs.add("late", 9);
        assertThat(told())
                .containsExactly("jobs 1, 2, 3, 4, 5 and 995 more: refused", "jobs 7, 8: lost first", "job 9: late");
        assertThat(told()).as("once").isEmpty();
    }
}
