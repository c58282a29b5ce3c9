package dev.pawl.conformance.shard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class MariaDbShardsTest extends ShardContract {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }
}
