package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.Finding;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of the pool have unusual settings. */
class PostgresSessionsTest extends DatabaseTest {
    /** Settings that a session may change and a statement may depend on, each with an unusual value. */
    private static final Map<String, String> HOSTILE = new TreeMap<>(Map.ofEntries(
            Map.entry("array_nulls", "off"),
            Map.entry("backslash_quote", "off"),
            Map.entry("bytea_output", "escape"),
            Map.entry("check_function_bodies", "off"),
            Map.entry("client_min_messages", "error"),
            Map.entry("default_transaction_deferrable", "on"),
            Map.entry("default_transaction_isolation", "serializable"),
            Map.entry("enable_hashjoin", "off"),
            Map.entry("enable_indexonlyscan", "off"),
            Map.entry("enable_material", "off"),
            Map.entry("enable_nestloop", "off"),
            Map.entry("enable_sort", "off"),
            Map.entry("escape_string_warning", "off"),
            Map.entry("extra_float_digits", "-15"),
            Map.entry("from_collapse_limit", "1"),
            Map.entry("intervalstyle", "sql_standard"),
            Map.entry("join_collapse_limit", "1"),
            Map.entry("jit_above_cost", "0"),
            Map.entry("plan_cache_mode", "force_generic_plan"),
            Map.entry("quote_all_identifiers", "on"),
            Map.entry("row_security", "off"),
            Map.entry("session_replication_role", "replica"),
            Map.entry("standard_conforming_strings", "off"),
            Map.entry("synchronous_commit", "off"),
            Map.entry("timezone", "Pacific/Kiritimati"),
            Map.entry("transform_null_equals", "on"),
            Map.entry("xmlbinary", "hex"),
            Map.entry("xmloption", "document")));

    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    private HikariDataSource with(Map<String, String> settings, String more, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(testDatabase().jdbcUrl() + (testDatabase().jdbcUrl().contains("?") ? "&" : "?") + more);
        config.setMaximumPoolSize(6);
        config.setMinimumIdle(0);
        config.setAutoCommit(autoCommit);
        config.setIsolateInternalQueries(true); // otherwise settings made without autocommit would be rolled back
        config.setConnectionInitSql(settings.entrySet().stream()
                .map(each -> "SET " + each.getKey() + " = '" + each.getValue() + "'")
                .collect(Collectors.joining("; ")));
        return new HikariDataSource(config);
    }

    /** Uses all settings at once, and the simple protocol, which sends arrays as texts. */
    @ParameterizedTest
    @ValueSource(strings = {"ApplicationName=extended", "preferQueryMode=simple"})
    void everythingWorksWithAnySessionSettings(String more, Fixture fixture) throws Exception {
        List<String> wrong = new ArrayList<>();
        try (HikariDataSource pool = with(HOSTILE, more, more.contains("extended"));
                JobQueue queue = JobQueue.builder(pool)
                        .tablePrefix(fixture.prefix)
                        .migrate(false)
                        .open()) {
            assertThat(setting(pool, "array_nulls")).isEqualTo("off");
            ApiTargets targets = new ApiTargets(fixture, pool, queue);
            for (ApiCall each : ApiCalls.all()) {
                Throwable failure = catchThrowable(() -> each.call().on(targets));
                if (failure != null) {
                    wrong.add(each.name() + ": " + failure);
                }
            }
            assertThat(wrong).isEmpty();
            queue.enqueueAll(Fixture.GREET, List.of("1", "2"), any -> ApiTargets.later());
            assertThat(queue.admin().jobs().list(JobFilter.ALL.uniqueKey("NULL")))
                    .as("of a job without a key")
                    .isEmpty();
            assertThat(queue.admin().jobs().list(JobFilter.ALL.tag("NULL"))).isEmpty();
        }
    }

    /** The first job runs until the other jobs of its range are done. The bits that record those jobs then fill several bytes above 127. */
    @Test
    void aPartlyDoneRangeIsRecorded(Fixture fixture) throws Exception {
        CountDownLatch othersAreDone = new CountDownLatch(1);
        try (HikariDataSource pool = with(HOSTILE, "preferQueryMode=simple", false);
                JobQueue queue = JobQueue.builder(pool)
                        .tablePrefix(fixture.prefix)
                        .migrate(false)
                        .open();
                Worker worker = Worker.on(queue)
                        .pollInterval(Duration.ofMillis(50))
                        .handle(Fixture.GREET, (text, run) -> {
                            if (text.equals("first")) {
                                othersAreDone.await();
                            }
                        })
                        .start()) {
            List<String> texts = new ArrayList<>(Collections.nCopies(30, "other"));
            texts.set(0, "first");
            fixture.queue.enqueueAll(Fixture.GREET, texts);
            await().untilAsserted(() -> assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.COMPLETED)))
                    .hasSize(29));
            othersAreDone.countDown();
            await().untilAsserted(() -> assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.COMPLETED)))
                    .hasSize(30));
            assertThat(worker.isAlive()).isTrue();
        } finally {
            othersAreDone.countDown();
        }
    }

    /**
     * At REPEATABLE READ and above, PostgreSQL aborts a transaction whose {@code ON CONFLICT} meets a row that the transaction's snapshot
     * does not show.
     */
    @Test
    void aTransactionThatIsOlderThanTheJobWithTheKeyIsAborted(Fixture fixture) throws Exception {
        EnqueueOptions key = EnqueueOptions.DEFAULTS.uniqueKey("product-7");
        for (int isolation : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
            try (Connection connection = fixture.pool.getConnection()) {
                connection.setTransactionIsolation(isolation);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    assertThat(statement.execute("SELECT 1")).as("a snapshot").isTrue();
                }
                long first = fixture.enqueue(key);
                assertThatThrownBy(() -> fixture.queue.within(connection).enqueue(Fixture.GREET, "x", key))
                        .rootCause()
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("40001"));
                connection.rollback();
                assertThat(fixture.queue.within(connection).enqueue(Fixture.GREET, "x", key))
                        .as("repeated")
                        .isEqualTo(new EnqueueResult.Duplicate(first));
                connection.rollback();
                assertThat(fixture.admin.jobs().cancel(first)).isEqualTo(CancelResult.CANCELLED);
            }
        }
    }

    @Test
    void tablesAreCreatedWithAnySessionSettings(Fixture fixture) throws Exception {
        String prefix = "hostile_" + fixture.prefix;
        try (HikariDataSource pool = with(HOSTILE, "ApplicationName=x", true);
                JobQueue queue = JobQueue.builder(pool).tablePrefix(prefix).open();
                Worker worker = Worker.on(queue)
                        .pollInterval(Duration.ofMillis(50))
                        .handle(Fixture.GREET, (text, run) -> run.transaction(connection -> {}))
                        .start()) {
            long id = queue.enqueue(Fixture.GREET, "x").jobId();
            await().until(() ->
                    queue.admin().jobs().find(id).orElseThrow().state().isFinished());
            assertThat(worker.isAlive()).isTrue();
            assertThat(queue.admin().maintenance().diagnose())
                    .filteredOn(finding -> finding.level() == Finding.Level.WARNING)
                    .extracting(Finding::topic)
                    .contains("synchronous_commit")
                    .isSubsetOf("synchronous_commit", "fsync", "full_page_writes"); // test servers have these off
        }
    }

    /** Settings that slow Pawl down, or end its statements. */
    @Test
    void theDoctorNamesHarmfulSettings(Fixture fixture) throws Exception {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "default_transaction_read_only", "on",
                "statement_timeout", "900ms",
                "lock_timeout", "800ms",
                "idle_in_transaction_session_timeout", "700ms",
                "enable_indexscan", "off",
                "plan_cache_mode", "force_generic_plan"));
        try (HikariDataSource pool = with(settings, "ApplicationName=x", true);
                JobQueue queue = JobQueue.builder(pool)
                        .tablePrefix(fixture.prefix)
                        .migrate(false)
                        .open()) {
            List<Finding> findings = queue.admin().maintenance().diagnose();
            settings.forEach((name, value) -> assertThat(findings)
                    .as(name)
                    .anySatisfy(finding -> assertThat(finding.topic() + ": " + finding.message())
                            .contains(name + ": " + value)
                            .satisfies(text -> assertThat(finding.level()).isNotEqualTo(Finding.Level.OK))));
        }
    }

    private static String setting(HikariDataSource pool, String name) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }
}
