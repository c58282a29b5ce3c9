package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What only a cluster whose nodes all take writes can show. */
interface WritableNodesContract extends Contract {
    @Test
    default void theDoctorRecognizesTheClusterAndRecommendsAsManyLanesAsNodes(Fixture fixture) throws Exception {
        List<Finding> cluster = fixture.admin.maintenance().diagnose().stream()
                .filter(finding -> finding.topic().equals("cluster"))
                .toList();
        assertThat(cluster).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.OK);
            assertThat(finding.message())
                    .matches("(?s).*with 3 (nodes|members).*")
                    .contains("this is node ")
                    .contains("Recommended: 3 lanes for each queue and priority, one for each node");
        });
    }
}
