package dev.pawl.conformance.shard;

import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

@FullTier(group = "PAWL_CONTRACTS")
class MariaDbShardFaultsTest extends ShardFaultContract {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
