package dev.pawl.conformance.contract;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.cluster.ClusterExtension;
import dev.pawl.servers.cluster.ClusterKind;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** On the primary of a PostgreSQL cluster under Patroni, whose commits wait for a standby. */
@Isolated
@OneOfClusters
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class PatroniPrimaryTest extends NodesConformance {
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(ClusterKind.PATRONI);

    @Override
    TestServer server() {
        return CLUSTER.server();
    }
}
