package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeSharesTest {
    @Test
    void workersAreRecommendedAsTheJobsOfEachNode() {
        NodeShares shares = new NodeShares();
        for (int worker = 0; worker < 9; worker++) {
            shares.add(1, 1, worker, 100);
        }
        shares.add(2, 2, 9, 1_800);
        assertThat(shares.recommended(1)).isEqualTo(3);
        assertThat(shares.recommended(2)).isEqualTo(7);
        assertThat(shares.lacking()).isEmpty();
        assertThat(shares.message())
                .contains("9 on node 1, 1 on node 2", "3 on node 1, where 33 %", "7 on node 2, where 66 %");
    }

    @Test
    void nodesWithJobsAndWithoutWorkersAreNamed() {
        NodeShares shares = new NodeShares();
        shares.add(1, 1, 1, 10_000);
        shares.add(2, 1, 1, 1_000);
        shares.add(3, 1, 1, 999);
        assertThat(shares.lacking()).as("few jobs show nothing").containsExactly(2);
        assertThat(shares.recommended(2)).as("at least one").isEqualTo(1);
        assertThat(shares.message()).contains("1 on node 1, 0 on node 2, 0 on node 3");
    }

    @Test
    void fewJobsShowNothing() {
        NodeShares shares = new NodeShares();
        shares.add(1, 1, 1, 999);
        assertThat(shares.message()).isNull();
    }
}
