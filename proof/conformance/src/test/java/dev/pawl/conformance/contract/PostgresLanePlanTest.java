package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A claim from a lane is planned once a second. Planning each claim would take longer than claiming a job. A plan that was made while a
 * table was small reads the whole table, and if it were kept forever, it would still do so when the table has grown.
 */
@WhiteBox
class PostgresLanePlanTest {
    /** @param generic how often the generic plan was used */
    private record Kept(String name, long generic) {}

    @Test
    @Timeout(60)
    void theClaimsPlanIsKeptForASecond() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(1)) {
            try (JobQueue queue = JobQueue.open(pool)) {
                queue.admin().queues().setStrategy("default", Strategy.LANES);
            }
            DatabaseProduct product = Databases.of(pool, "pawl_");
            SqlJobStore store = new SqlJobStore(product, new Database(pool, product.dialect()), Retention.DEFAULTS);
            ClaimStrategy lanes = store.strategy(Strategy.LANES);

            Kept first = claimUntil(pool, lanes, null);
            Kept next = claimUntil(pool, lanes, first.name);

            assertThat(next.name).as("planned anew").isNotEqualTo(first.name);
        }
    }

    /** {@return the claim's prepared statement, once it has a generic plan and another name than the given one} */
    private static Kept claimUntil(HikariDataSource pool, ClaimStrategy lanes, @Nullable String not)
            throws SQLException {
        ClaimRequest one = new ClaimRequest("default", List.of("greet"), 1, 1, Duration.ofMinutes(1), false);
        while (true) {
            assertThat(lanes.claim(one)).isEmpty();
            List<Kept> kept = kept(pool);
            assertThat(kept).as("unused plans are closed").hasSizeLessThanOrEqualTo(1);
            if (!kept.isEmpty() && kept.get(0).generic > 0 && !kept.get(0).name.equals(not)) {
                return kept.get(0);
            }
        }
    }

    private static List<Kept> kept(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT name, generic_plans FROM pg_prepared_statements"
                        + " WHERE statement LIKE '%INSERT INTO %pawl_lane_range%'")) {
            List<Kept> kept = new ArrayList<>();
            while (rows.next()) {
                kept.add(new Kept(rows.getString(1), rows.getLong(2)));
            }
            return kept;
        }
    }
}
