package dev.pawl.conformance.shard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.servers.Delay;
import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

@FullTier(group = "PAWL_CONTRACTS")
class MariaDbShardFaultsTest extends ShardFaultContract {
    @Override
    TestServer server() {
        return TestServers.mariaDb();
    }

    /** The first opening locks tables, each time only for a second, so that other statements do not queue behind it. */
    @Test
    void theFirstOpeningWaitsForOpenTransactions() throws Exception {
        JobQueue.builder(second).open().close();
        Thread opening;
        try (Connection reader = second.getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("SELECT COUNT(*) FROM pawl_job");
            opening = started(() -> b.queue());
            Delay.quiet(2_500);
            assertThat(opening.isAlive()).isTrue();
            assertThat(b.isOpen()).isFalse();
            reader.commit();
        }
        opening.join();
        assertThat(b.isOpen()).isTrue();
        assertThat(b.queue().enqueue(GREET, "one").jobId()).isGreaterThan(1L << 43);
    }
}
