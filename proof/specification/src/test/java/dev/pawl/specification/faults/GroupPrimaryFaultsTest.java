package dev.pawl.specification.faults;

import dev.pawl.servers.cluster.ClusterExtension;
import dev.pawl.servers.cluster.ClusterKind;
import dev.pawl.specification.ServerStage;
import dev.pawl.specification.Stage;
import dev.pawl.specification.faults.EngineError.Driver;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

@EnabledIfSystemProperty(named = "pawl.clusters", matches = ".+")
class GroupPrimaryFaultsTest extends FaultsTest {
    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(ClusterKind.GROUP_PRIMARY);

    @Override
    Stage open() throws SQLException {
        return new ServerStage(CLUSTER.server());
    }

    @Override
    long programs() {
        return 8;
    }

    @Override
    Set<Driver> drivers() {
        return Set.of(Driver.MYSQL);
    }
}
