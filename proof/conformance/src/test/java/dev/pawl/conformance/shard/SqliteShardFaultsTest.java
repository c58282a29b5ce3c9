package dev.pawl.conformance.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.SchemaException;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class SqliteShardFaultsTest extends ShardFaultContract {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }

    /** Opening a shard that has its ids changes nothing: it neither waits for writers nor sets the journal mode. */
    @Test
    void aShardThatHasIdsIsOpenedWithoutALock() throws SQLException {
        b.queue();
        b.close();
        try (Connection connection = second.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = DELETE");
            statement.execute("BEGIN IMMEDIATE");
            try (JobQueue again = builder(1, second).shard(1).migrate(false).open()) {
                assertThat(again.admin().jobs().list(JobFilter.ALL)).isEmpty();
            } finally {
                statement.execute("ROLLBACK");
            }
            try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode")) {
                assertThat(mode.getString(1)).isEqualTo("delete");
            }
        }
    }

    @Test
    void idsBeginInTheJournalModeThatTheFileHas() throws SQLException {
        builder(0, first).open().close();
        try (Connection connection = first.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = DELETE");
        }
        builder(0, first).shard(7).open().close();
        try (Connection connection = first.getConnection();
                Statement statement = connection.createStatement()) {
            try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode")) {
                assertThat(mode.getString(1)).isEqualTo("delete");
            }
        }
    }

    /** For example, a dump was restored without the counter. */
    @Test
    void aCounterThatHasLostItsJobsIsRefused() throws SQLException {
        b.queue().enqueue(GREET, "one", PLAIN.delay(LONG));
        b.close();
        try (Connection connection = second.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'pawl_job'");
        }
        assertThatThrownBy(() -> builder(1, second).shard(0).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("ids of shard 1");
        assertThatThrownBy(() -> builder(1, second).shard(1).open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("have a job 8796093022209")
                .hasMessageContaining("UPDATE sqlite_sequence");
    }
}
