package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.cluster.ClusterExtension;
import dev.pawl.servers.cluster.ClusterKind;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Its clients are connected to the primary, whose commits wait for a standby. */
@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class PatroniConcurrentTest extends ConcurrentTest {
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(ClusterKind.PATRONI);

    @Override
    TestServer server() {
        return CLUSTER.server();
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.POSTGRES);
    }
}
