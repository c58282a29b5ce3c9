package dev.pawl.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PerKindTest {
    /** Regression: "Query was empty", when other workers had claimed everything between two reads of a claim. */
    @Test
    void noKindsNeedNoStatement() {
        assertThat(PerKind.portions(List.of())).isEmpty();
    }

    @Test
    void manyKindsNeedSeveral() {
        List<Integer> kinds = IntStream.range(0, 250).boxed().toList();
        assertThat(PerKind.portions(kinds)).extracting(List::size).containsExactly(100, 100, 50);
        assertThat(PerKind.portions(kinds.subList(0, 100))).hasSize(1);
        assertThat(PerKind.portions(kinds.subList(0, 200)))
                .as("none is empty")
                .extracting(List::size)
                .containsExactly(100, 100);
    }

    @Test
    void oneSelectStaysAsItIsAndMoreAreJoined() {
        assertThat(PerKind.unionOf(1, kind -> "SELECT " + kind)).isEqualTo("SELECT 0");
        assertThat(PerKind.unionOf(2, kind -> "SELECT " + kind))
                .isEqualTo("SELECT * FROM (SELECT 0) kind0 UNION ALL SELECT * FROM (SELECT 1) kind1");
    }
}
