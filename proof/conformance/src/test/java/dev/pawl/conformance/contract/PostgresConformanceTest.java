package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.Strategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@OneOfPostgres
@WhiteBox
class PostgresConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    /**
     * A {@code SELECT FOR UPDATE} that has waited for a row checks the row again, and leaves it out if it was taken. It does not see rows
     * that are newer than its snapshot. So its result can be empty although jobs wait.
     */
    @Test
    void aClaimWhoseRowWasTakenWhileItWaitedQueriesAgain(Fixture fixture) throws Exception {
        long first = fixture.enqueue();
        CompletableFuture<List<Grant>> waiting = fixture.database.transaction(connection -> {
            fixture.execute(connection, "SELECT id FROM pawl_job WHERE id = " + first + " FOR UPDATE");
            CompletableFuture<List<Grant>> claim = CompletableFuture.supplyAsync(() -> {
                try {
                    return fixture.claim(Strategy.PESSIMISTIC, 1, Fixture.LEASE);
                } catch (java.sql.SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> fixture.longOf("SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    == 1);
            fixture.enqueue();
            fixture.execute(
                    connection,
                    "UPDATE pawl_job SET available_at = available_at + interval '1 hour' WHERE id = " + first);
            return claim;
        });
        assertThat(waiting.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                .singleElement()
                .satisfies(claimed -> assertThat(claimed.job().id()).isGreaterThan(first));
    }
}
