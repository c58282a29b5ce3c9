package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.ConcurrencyKeys.KeyRequest;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Limit;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A worker started when there were few keyed jobs, and the server still uses the plans of that time. Then many keyed jobs come at once,
 * before the server has new statistics.
 */
@Timeout(120)
@WhiteBox
class PostgresKeyBurstTest {
    private static final int KEYS = 10_000;
    private static final int SOME = 100;

    private TestDatabase database;
    private HikariDataSource pool;
    private JobQueue queue;
    private SqlJobStore store;
    private ConcurrencyKeys concurrencyKeys;
    private ClaimRequest request;
    private boolean rated;

    @BeforeEach
    void open() throws SQLException {
        database = TestServers.postgres().createDatabase();
        pool = database.newDataSource(1); // one connection keeps all prepared statements
        queue = JobQueue.open(pool);
        DatabaseProduct product = Databases.of(pool, "pawl_");
        Database wrapped = new Database(pool, product.dialect());
        store = new SqlJobStore(product, wrapped, Retention.DEFAULTS);
        concurrencyKeys = new SqlKeys(wrapped, product.claimById());
        request = new ClaimRequest("default", List.of(GREET.kind()), 1_000, 1, Fixture.LEASE, false);
    }

    @AfterEach
    void close() {
        queue.close();
        pool.close();
        database.close();
    }

    private static List<JobKey> keys(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new JobKey("default", "key " + i))
                .toList();
    }

    private void enqueue(List<JobKey> keys) {
        queue.enqueueAll(GREET, keys.stream().map(JobKey::key).toList(), key -> EnqueueOptions.DEFAULTS.key(key));
    }

    /** Releases one job of each key, and completes it. */
    private void release(List<JobKey> keys) throws SQLException {
        List<Settlement> runs = concurrencyKeys.releaseJobs(keys, Map.of("default", request)).claimed().stream()
                .map(grant -> new Settlement(grant.lease(), new Verdict.Completed()))
                .toList();
        assertThat(runs).hasSameSizeAs(keys);
        assertThat(store.strategy(Strategy.ROWS).settle(runs).accepted()).hasSameSizeAs(keys);
    }

    private long rowsRead(String table) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute("SELECT pg_stat_force_next_flush()");
            try (ResultSet row = statement.executeQuery("SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0)"
                    + " FROM pg_stat_user_tables WHERE relid = '" + table + "'::regclass")) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Runs the query that a worker runs before it starts a job of each key. */
    private void start(List<JobKey> keys) throws SQLException {
        List<KeyRequest> requests =
                keys.stream().map(key -> new KeyRequest(key.key(), 1, 1)).toList();
        assertThat(concurrencyKeys.starts("default", requests).values())
                .hasSameSizeAs(keys)
                .allMatch(allocation ->
                        Objects.requireNonNull(allocation.starts()).now() == 1);
    }

    private void letManyCome() throws SQLException {
        for (int i = 0; i < 12; i++) { // the server keeps a plan after some executions
            enqueue(keys(0, 3));
            release(keys(0, 3));
            if (rated) {
                start(keys(0, 3));
            }
        }
        enqueue(keys(0, KEYS));
        enqueue(keys(0, KEYS));
        for (int from = 0; from < KEYS; from += 500) { // so that each has a row
            release(keys(from, from + 500));
        }
    }

    /** Releases keys of which some are new. */
    private void assertThatAReleaseReadsNoOthers() throws SQLException {
        int more = KEYS;
        for (String table : List.of("pawl_key", "pawl_keyed", "pawl_job")) {
            List<JobKey> some = new ArrayList<>(keys(0, SOME));
            some.addAll(keys(more, more + 10));
            more += 10;
            enqueue(some);
            long before = rowsRead(table);
            release(some);
            if (rated) {
                start(some);
            }
            assertThat(rowsRead(table) - before).as("rows of %s read", table).isLessThan(20L * SOME);
        }
    }

    @Test
    void releasesOfKeysWithARateReadNoOthers() throws Exception {
        queue.limits().set(Limit.keysOf("default").rate(1_000_000, Duration.ofSeconds(1)));
        rated = true;
        letManyCome();
        assertThatAReleaseReadsNoOthers();
    }

    @Test
    void releasesReadNoOthersThoughThereWereFewKeysBefore() throws Exception {
        letManyCome();
        assertThatAReleaseReadsNoOthers();
        long before = rowsRead("pawl_key") + rowsRead("pawl_keyed");
        ConcurrencyKeys.Ready ready = concurrencyKeys.ready("default", "");
        assertThat(rowsRead("pawl_key") + rowsRead("pawl_keyed") - before)
                .as("rows read to look through %d keys", ready.keys().size())
                .isLessThan(KEYS);
    }
}
