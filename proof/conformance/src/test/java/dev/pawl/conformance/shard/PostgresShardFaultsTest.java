package dev.pawl.conformance.shard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PostgresShardFaultsTest extends ShardFaultContract {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
