package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Finding;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.Tuning;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rebuilding the tables keeps their data, and is refused where it would break views, keys or triggers. */
@WhiteBox
class PostgresTuningTest extends DatabaseTest {
    private static final Tuning UNLOGGED = Tuning.NOTHING.unlogged(true);
    private static final Tuning PARTS = Tuning.NOTHING.livePartitions(3).historyByDay(true);

    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @Test
    void anUnloggedTableIsEmptyAfterACrashAndItsIdsGoOn() throws Exception {
        try (TestServer own = TestServers.newPostgres();
                Schemas schemas = new Schemas(own);
                Fixture plain = new Fixture(schemas, Strategy.ROWS);
                Fixture parts = new Fixture(schemas, Strategy.ROWS)) {
            plain.admin.maintenance().tune(UNLOGGED);
            parts.admin.maintenance().tune(UNLOGGED.livePartitions(2));
            assertThat(plain.admin.maintenance().diagnose()).anyMatch(PostgresTuningTest::warnsOfLoss);
            long[] last = new long[2];
            for (Fixture fixture : List.of(plain, parts)) {
                for (int i = 0; i < 40; i++) { // a sequence may skip up to 32
                    last[fixture == plain ? 0 : 1] = fixture.enqueue();
                }
                fixture.finish(fixture.claimOne().lease(), new Verdict.Completed());
            }
            own.kill();
            own.start();
            for (Fixture fixture : List.of(plain, parts)) {
                await().ignoreExceptions().until(() -> fixture.count("pawl_job_history") == 1);
                assertThat(fixture.count("pawl_job")).isZero();
                assertThat(fixture.enqueue()).isGreaterThan(last[fixture == plain ? 0 : 1]);
            }
            plain.admin.maintenance().tune(Tuning.NOTHING.unlogged(false));
            assertThat(plain.admin.maintenance().diagnose()).noneMatch(PostgresTuningTest::warnsOfLoss);
        }
    }

    private static boolean warnsOfLoss(Finding finding) {
        return finding.level() == Finding.Level.WARNING && finding.message().contains("LOSES EVERY UNFINISHED JOB");
    }

    /** A role that may use the tables but not change them. */
    private String newRole(String name) throws Exception {
        String role = fixture().prefix.replace("pawl_", name);
        fixture().execute("CREATE ROLE " + role);
        fixture().execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role);
        return role;
    }

    private HikariDataSource as(String role) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(testDatabase().jdbcUrl());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("SET ROLE " + role);
        return new HikariDataSource(config);
    }

    private void forget(String... roles) throws Exception {
        for (String role : roles) {
            fixture().execute("REASSIGN OWNED BY " + role + " TO CURRENT_USER");
            fixture().execute("DROP OWNED BY " + role);
            fixture().execute("DROP ROLE " + role);
        }
    }

    @Test
    void aRoleThatMayOnlyWorkWorksOnTunedTablesAndPrunesRowByRow() throws Exception {
        String role = newRole("works");
        fixture().admin.maintenance().tune(PARTS);
        try (HikariDataSource pool = as(role);
                JobQueue queue = JobQueue.builder(pool)
                        .tablePrefix(fixture().prefix)
                        .migrate(false)
                        .open();
                Worker worker = Worker.on(queue)
                        .strategy(Strategy.ROWS)
                        .handle(Fixture.GREET, (name, run) -> {})
                        .start()) {
            queue.enqueue(Fixture.GREET, "you");
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
            await().until(() ->
                    queue.admin().jobs().list(JobFilter.ALL).get(0).state().isFinished());
            assertThat(queue.admin().maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                    .isEqualTo(1);
            assertThat(queue.admin().maintenance().diagnose())
                    .anySatisfy(finding -> assertThat(finding.message())
                            .contains("may not make or drop the days", role, "let it be a member of"));
            assertThat(fixture().admin.maintenance().diagnose())
                    .noneSatisfy(finding -> assertThat(finding.message()).contains("may not make or drop the days"));
        }
        forget(role);
    }

    @Test
    void ownerGrantsCommentsAndIndexesMoveToTheNewTable() throws Exception {
        String owner = newRole("owner");
        String reader = newRole("reader");
        fixture().execute("GRANT CREATE ON SCHEMA public TO " + owner);
        for (String table : List.of("pawl_job", "pawl_job_history")) {
            fixture().execute("ALTER TABLE " + table + " OWNER TO " + owner);
            fixture().execute("REVOKE ALL ON " + table + " FROM " + reader);
            fixture().execute("GRANT SELECT ON " + table + " TO " + reader + " WITH GRANT OPTION");
            fixture().execute("GRANT UPDATE (payload) ON " + table + " TO " + reader);
            fixture().execute("COMMENT ON TABLE " + table + " IS 'don''t touch'");
            fixture().execute("COMMENT ON COLUMN " + table + ".payload IS 'JSON'");
            fixture().execute("CREATE INDEX " + table + "_mine ON " + table + " (tags)");
        }
        fixture().execute("ALTER TABLE pawl_job SET (fillfactor = 70)");
        for (Tuning tuning : List.of(PARTS, Tuning.NOTHING.livePartitions(1).historyByDay(false))) {
            fixture().admin.maintenance().tune(tuning);
            for (String table : List.of("pawl_job", "pawl_job_history")) {
                String whole = "to_regclass('" + table + "')";
                assertHolds("SELECT relowner = '" + owner + "'::regrole FROM pg_class WHERE oid = " + whole);
                assertHolds("SELECT has_table_privilege('" + reader + "', " + whole + ", 'SELECT WITH GRANT OPTION')");
                assertHolds("SELECT has_column_privilege('" + reader + "', " + whole + ", 'payload', 'UPDATE')");
                assertHolds("SELECT NOT has_table_privilege('" + reader + "', " + whole + ", 'INSERT')");
                assertHolds("SELECT obj_description(" + whole + ") = 'don''t touch'");
                assertHolds("SELECT col_description(" + whole + ", attnum) = 'JSON' FROM pg_attribute WHERE attrelid = "
                        + whole + " AND attname = 'payload'");
                assertHolds("SELECT COUNT(*) = 1 FROM pg_index WHERE indrelid = " + whole
                        + " AND indexrelid = to_regclass('" + table + "_mine')");
            }
            assertHolds("SELECT bool_and('fillfactor=70' = ANY (reloptions)) FROM pg_class WHERE relkind = 'r' AND"
                    + " relname IN ('pawl_job', 'pawl_job_part0_3')");
        }
        forget(owner, reader);
    }

    private void assertHolds(String sql) throws Exception {
        assertThat(fixture().longOf("SELECT COUNT(*) FROM (" + sql + ") AS a (holds) WHERE holds"))
                .as(sql)
                .isEqualTo(1);
    }

    @Test
    void aTableWithViewsKeysOrTriggersIsRefusedUnchanged() throws Exception {
        fixture().execute("CREATE VIEW pawl_my_view AS SELECT kind FROM pawl_job");
        fixture().execute("CREATE TABLE pawl_mine (job bigint REFERENCES pawl_job (id))");
        fixture().execute("CREATE UNIQUE INDEX pawl_my_index ON pawl_job (tags)");
        fixture().execute("CREATE FUNCTION pawl_noop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
        fixture()
                .execute("CREATE TRIGGER pawl_my_trigger BEFORE INSERT ON pawl_job_history FOR EACH ROW"
                        + " EXECUTE FUNCTION pawl_noop()");
        fixture().execute("CREATE PUBLICATION pawl_my_publication FOR TABLE pawl_job_history");
        long id = fixture().enqueue();
        String prefix = fixture().prefix;
        assertThatThrownBy(() -> fixture().admin.maintenance().tune(Tuning.NOTHING.livePartitions(2)))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("view " + prefix + "my_view")
                .hasMessageContaining("foreign key " + prefix + "mine_job_fkey of " + prefix + "mine")
                .hasMessageContaining("unique index " + prefix + "my_index");
        assertThatThrownBy(() -> fixture().admin.maintenance().tune(Tuning.NOTHING.historyByDay(true)))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("trigger " + prefix + "my_trigger")
                .hasMessageContaining("publication " + prefix + "my_publication");
        assertHolds("SELECT COUNT(*) = 0 FROM pg_partitioned_table WHERE partrelid IN (to_regclass('pawl_job'),"
                + " to_regclass('pawl_job_history'))");
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_my_view")).isEqualTo(1);
        assertThat(fixture().claimOne().job().id()).isEqualTo(id);
        fixture().execute("DROP PUBLICATION pawl_my_publication");
    }
}
