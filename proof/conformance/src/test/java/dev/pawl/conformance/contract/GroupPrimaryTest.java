package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.cluster.ClusterExtension;
import dev.pawl.servers.cluster.ClusterKind;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** On a Group Replication with one primary. */
@Isolated
@OneOfClusters
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class GroupPrimaryTest extends NodesConformance {
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(ClusterKind.GROUP_PRIMARY);

    @Override
    TestServer server() {
        return CLUSTER.server();
    }
}
