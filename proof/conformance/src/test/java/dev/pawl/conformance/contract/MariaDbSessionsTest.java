package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.internal.claim.LockingClaim;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.limit.Limit;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sessions of the pool have settings that make statements fail, or truncate results. */
@Execution(ExecutionMode.CONCURRENT)
@OneOfUnusualMariaDb
@WhiteBox
class MariaDbSessionsTest extends DatabaseTest
        implements BulkChangeContract, AdminContract, UniqueContract, KeyContract, LimitContract, EnqueueSqlContract {
    @Override
    TestServer server() {
        return TestServers.mariaDbOfCarefulPeople();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    /** Runs here even in a build that assigns the tests of keys to other classes. */
    @Test
    void jobsOfKeysRunToTheirEnd(Fixture fixture) {
        fixture.queue.limits().set(Limit.keysOf("default").rate(1_000, Duration.ofSeconds(1)));
        Map<String, Queue<Long>> ran = new ConcurrentHashMap<>();
        List<Long> ids = new ArrayList<>();
        try (Worker worker = fixture.newWorker()
                .concurrency(4)
                .handle(
                        Fixture.GREET,
                        (text, run) -> ran.computeIfAbsent(
                                        run.job().key().orElse(""), key -> new ConcurrentLinkedQueue<>())
                                .add(run.job().id()))
                .start()) {
            assertThat(worker.isAlive()).isTrue();
            for (int i = 0; i < 24; i++) {
                ids.add(fixture.enqueue(EnqueueOptions.DEFAULTS.key("k" + i % 3)));
            }
            ids.forEach(id -> fixture.awaitState(id, JobState.COMPLETED));
        }
        assertThat(ran)
                .hasSize(3)
                .allSatisfy(
                        (key, each) -> assertThat(List.copyOf(each)).hasSize(8).isSorted());
    }

    /** Two of three jobs are read back, as in a session with {@code sql_select_limit} if the library did not set its own limit. */
    @Test
    void aClaimThatIsNotReadBackAsAWholeIsRolledBack(Fixture fixture) {
        List<Long> ids = IntStream.range(0, 3)
                .mapToObj(i -> fixture.enqueue(EnqueueOptions.DEFAULTS.uniqueKey("it has a row " + i)))
                .toList();
        DataSource cut = TamperedDataSource.rewriting(
                fixture.pool, fixture.statements.rewriting("WHERE leased_by = \\?.*", "$0 LIMIT 2"));
        Claim claim = LockingClaim.skipping(new Database(cut, fixture.database.dialect()));
        assertThatThrownBy(() -> claim.claim(
                        new ClaimRequest("default", List.of("greet"), 3, fixture.worker, Fixture.LEASE, false)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("claimed 3 jobs and read back 2");
        assertThat(ids).allSatisfy(id -> assertThat(fixture.job(id).state()).isEqualTo(JobState.AVAILABLE));
    }

    @Test
    void theSettingsOfTheSessionAreRestoredAfterwards(Fixture fixture) throws Exception {
        fixture.queue.enqueue(Fixture.GREET, "x", EnqueueOptions.DEFAULTS.key("k"));
        assertThat(fixture.admin.maintenance().diagnose())
                .anySatisfy(finding -> assertThat(finding.topic() + finding.message())
                        .contains("sessions")
                        .contains("sql_safe_updates")
                        .contains("sql_select_limit"));
        for (int i = 0; i < 20; i++) {
            try (Connection connection = fixture.pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT @@sql_safe_updates + @@sql_select_limit + @@sql_auto_is_null - @@unique_checks")) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(4);
            }
        }
    }
}
