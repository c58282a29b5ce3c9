package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Strategy;
import dev.pawl.internal.store.ClaimedJob;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PostgresConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    /**
     * {@code FOR UPDATE} that has waited for a row looks at it again and drops it if it was taken meanwhile; what came
     * after its snapshot it does not see. So its answer can be empty while there is work.
     */
    @Test
    void aClaimThatHasWaitedInVainLooksAgain() throws Exception {
        long first = fixture().enqueue();
        CompletableFuture<List<ClaimedJob>> waiting = fixture().database.transaction(connection -> {
            fixture().execute(connection, "SELECT id FROM pawl_job WHERE id = " + first + " FOR UPDATE");
            CompletableFuture<List<ClaimedJob>> claim = CompletableFuture.supplyAsync(() -> {
                try {
                    return fixture().claim(Strategy.PESSIMISTIC, 1, Fixture.LEASE);
                } catch (java.sql.SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> fixture()
                            .longOf("SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                    + " AND datname = current_database()")
                    == 1);
            fixture().enqueue();
            fixture()
                    .execute(
                            connection,
                            "UPDATE pawl_job SET available_at = available_at + interval '1 hour' WHERE id = " + first);
            return claim;
        });
        assertThat(waiting.get(20, TimeUnit.SECONDS))
                .singleElement()
                .satisfies(claimed -> assertThat(claimed.job().id()).isGreaterThan(first));
    }
}
