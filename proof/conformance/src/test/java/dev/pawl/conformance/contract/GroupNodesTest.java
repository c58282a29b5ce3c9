package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.cluster.ClusterExtension;
import dev.pawl.servers.cluster.ClusterKind;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** On a Group Replication with several primaries: the pools of a test are on different nodes. */
@Isolated
@OneOfNodes
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class GroupNodesTest extends NodesConformance implements WritableNodesContract {
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(ClusterKind.GROUP_REPLICATION);

    @Override
    TestServer server() {
        return CLUSTER.server();
    }
}
