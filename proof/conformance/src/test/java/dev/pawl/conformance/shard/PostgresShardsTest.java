package dev.pawl.conformance.shard;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;

class PostgresShardsTest extends ShardContract {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }
}
