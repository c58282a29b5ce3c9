package dev.pawl.dashboard.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GraphLayoutTest {
    private static GraphLayout layout(List<List<Integer>> before) {
        return Objects.requireNonNull(GraphLayout.of(before));
    }

    @Test
    void nodesAreRightOfTheirDependencies() {
        GraphLayout layout = layout(List.of(List.of(), List.of(0), List.of(0), List.of(1, 2), List.of(0, 3)));
        assertThat(layout.left(1)).isEqualTo(layout.left(2)).isGreaterThan(layout.left(0) + GraphLayout.NODE_WIDTH);
        assertThat(layout.left(3)).isGreaterThan(layout.left(2));
        assertThat(layout.left(4)).isGreaterThan(layout.left(3));
        assertThat(layout.left(4) + GraphLayout.NODE_WIDTH).isLessThan(layout.width());
    }

    @Test
    void nodeOrderDoesNotMatter() {
        assertThat(GraphLayout.depths(List.of(List.of(1), List.of(2), List.of())))
                .containsExactly(2, 1, 0);
    }

    /** Edges across several columns also avoid the nodes between. */
    @Test
    void nodesDoNotOverlap() {
        List<List<Integer>> before = new ArrayList<>(List.of(List.of()));
        IntStream.range(1, 60).forEach(node -> before.add(List.of(0, node / 3)));
        GraphLayout layout = layout(before);
        for (int one = 0; one < 60; one++) {
            assertThat(layout.top(one)).isBetween(0, layout.height() - GraphLayout.NODE_HEIGHT);
            for (int other = 0; other < one; other++) {
                assertThat(layout.left(one) != layout.left(other)
                                || Math.abs(layout.top(one) - layout.top(other)) >= GraphLayout.NODE_HEIGHT)
                        .as(one + " and " + other)
                        .isTrue();
            }
        }
        assertThat(layout.path(0, 59)).startsWith("M").contains(" H");
    }

    /** Crossing edges are untangled if possible. */
    @Test
    void avoidableCrossingsAreAvoided() {
        GraphLayout layout = layout(List.of(List.of(), List.of(), List.of(1), List.of(0)));
        assertThat(layout.top(0) < layout.top(1)).isEqualTo(layout.top(3) < layout.top(2));
    }

    @Test
    void oversizedGraphsAreNotDrawn() {
        List<List<Integer>> chain = new ArrayList<>(List.of(List.of()));
        IntStream.range(1, 200).forEach(node -> chain.add(List.of(0, node - 1)));
        assertThat(GraphLayout.of(chain)).isNull();
    }
}
