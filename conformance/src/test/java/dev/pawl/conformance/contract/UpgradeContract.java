package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.Retention;
import dev.pawl.RetryPolicy;
import dev.pawl.Worker;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobFilter;
import dev.pawl.conformance.Draw;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.schema.LeftBehind;
import dev.pawl.internal.schema.Migration;
import dev.pawl.internal.schema.Migrations;
import dev.pawl.internal.schema.Migrator;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schema goes from version to version while programs of several versions work on it. */
interface UpgradeContract extends Contract {
    /** Tables beside those of the fixture, as far as they have been migrated. */
    private DatabaseProduct beside(String name) throws SQLException {
        return Databases.of(fixture().pool, fixture().prefix.replace("pawl_", name + "_"));
    }

    private JobQueue open(DatabaseProduct product, boolean migrate) {
        return JobQueue.builder(fixture().pool)
                .tablePrefix(product.dialect().prefix())
                .migrate(migrate)
                .open();
    }

    private Migrator migrator(DatabaseProduct product) {
        return new Migrator(fixture().pool, product.dialect(), product.schema());
    }

    private void execute(List<String> statements) throws SQLException {
        fixture().database.autocommit(connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
                return true;
            }
        });
    }

    private void executed(String sql) {
        try {
            execute(List.of(sql));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tables as a program leaves them that knows no later step. */
    private void migrateTo(DatabaseProduct product, int version) throws SQLException {
        for (Migration step : Migrations.of(product.dialect()).subList(0, version)) {
            execute(step.statements());
        }
    }

    private void runAll(JobQueue queue) throws InterruptedException {
        try (Worker worker =
                Worker.on(queue).handle(Fixture.GREET, (name, run) -> {}).start()) {
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    default void thePrintedScriptIsAllThatAProgramNeeds() throws Exception {
        DatabaseProduct product = beside("printed");
        runAsAnyToolDoes(Migrations.script(product.dialect()));
        assertThat(migrator(product).migrate()).isEmpty();
        try (JobQueue queue = open(product, false)) {
            long id = queue.enqueue(Fixture.GREET, "you").jobId();
            runAll(queue);
            assertThat(queue.admin().find(id).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
        }
    }

    /** In one piece: the server tells the statements apart. */
    private void runAsAnyToolDoes(String script) throws SQLException {
        String url = testDatabase().jdbcUrl();
        String several = url + (url.contains("?") ? "&" : "?") + "allowMultiQueries=true";
        boolean mySql = fixture().database.dialect().product().equals("mysql");
        try (HikariDataSource pool = new TestDatabase(mySql ? several : url, () -> {}).newDataSource(1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
            while (mySql && (statement.getMoreResults() || statement.getUpdateCount() >= 0)) {
                // an error of a later statement shows here
            }
        }
    }

    /** The table of their lines gets another key. */
    @Test
    default void jobsWithKeysKeepTheirPlaces() throws Exception {
        DatabaseProduct product = beside("keyed");
        migrateTo(product, 23);
        String keyed =
                "INSERT INTO pawl_keyed (queue, job_key, job_id, due, priority, let_go) VALUES ('q', 'k', %d, %d, %d, %d)";
        execute(List.of(keyed.formatted(1, 5, 3, 0), keyed.formatted(2, 6, -3, 0), keyed.formatted(3, 7, 0, 1)).stream()
                .map(product.dialect()::sql)
                .toList());
        if (product.dialect().product().equals("mysql")) { // a program that was killed in the midst of it
            execute(Migrations.of(product.dialect()).get(23).statements().subList(0, 1));
        }
        assertThat(migrator(product).migrate()).isNotEmpty();
        try (Connection connection = fixture().pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(product.dialect()
                        .sql("SELECT job_id, due, let_go, priority FROM pawl_keyed ORDER BY let_go, priority"))) {
            List<String> places = new ArrayList<>();
            while (rows.next()) {
                places.add(rows.getLong(1) + " " + rows.getLong(2) + " " + rows.getInt(3) + " " + rows.getLong(4));
            }
            assertThat(places).containsExactly("2 6 0 -3", "1 5 0 3", "3 7 1 0");
        }
    }

    /** Of all that were registered while the tables were at some step, none knows a later one. */
    @Test
    default void liveWorkersThatAStepLeavesBehindAreCounted() throws Exception {
        DatabaseProduct product = beside("behind");
        Migrator migrator = migrator(product);
        assertThat(migrator.leftBehind()).as("there are no tables yet").isEmpty();
        migrateTo(product, 26);
        assertThat(migrator.leftBehind()).as("nobody is there").isEmpty();
        Dialect dialect = product.dialect();
        String worker =
                dialect.sql("INSERT INTO pawl_worker (name, queues, concurrency, started_at, heartbeat_at, stopped_at)"
                        + " VALUES ('w', '[]', 1, " + dialect.now() + ", %s, %s)");
        String longAgo = dialect.nowPlusMicros().replace("?", "-120000000");
        execute(List.of(
                worker.formatted(dialect.now(), "NULL"),
                worker.formatted(dialect.now(), "NULL"),
                worker.formatted(dialect.now(), dialect.now()),
                worker.formatted(longAgo, "NULL")));
        LeftBehind left = migrator.leftBehind().orElseThrow();
        assertThat(left.workers()).as("neither who has stopped nor who is gone").isEqualTo(2);
        assertThat(left.known()).isEqualTo(26);
        assertThat(left.step().name()).isEqualTo("turns");
        assertThat(left.needed()).isEqualTo(27);
        assertThat(migrator.migrate()).hasSize(Migrations.newest() - 26);
        assertThat(migrator.leftBehind()).isEmpty();
        for (Migration step : Migrations.of(dialect)) {
            assertThat(fixture()
                            .longOf(dialect.sql(
                                    "SELECT works_from FROM pawl_schema WHERE version = " + step.version())))
                    .as(step.fileName())
                    .isEqualTo(step.worksFrom());
        }
    }

    /** What an older program has let go has a row of its own, and what a key has used up is in its row, which gets another name. */
    @Test
    default void jobsWithKeysThatAreUnderWayCount() throws Exception {
        DatabaseProduct product = beside("turns");
        Dialect dialect = product.dialect();
        migrateTo(product, 26);
        String job =
                "INSERT INTO pawl_job (id, state, attempt, max_attempts, created_at, available_at, queue, kind, payload,"
                        + " headers) VALUES (%d, 0, 0, 5, " + dialect.now() + ", " + dialect.now()
                        + ", 'q', 'greet', '1', '{\"pawl-key\":\"k\"}')";
        String keyed =
                "INSERT INTO pawl_keyed (queue, job_key, job_id, due, priority, let_go) VALUES ('q', 'k', %d, 1, 0, %d)";
        execute(Stream.of(
                        job.formatted(1),
                        job.formatted(2),
                        keyed.formatted(1, 1),
                        keyed.formatted(2, 0),
                        "INSERT INTO pawl_key (queue, job_key, next_start) VALUES ('q', 'k', 5)")
                .map(dialect::sql)
                .toList());
        fixture().database.autocommit(connection -> {
            try (PreparedStatement park = connection.prepareStatement(
                    dialect.sql("UPDATE pawl_job SET available_at = " + dialect.moment() + " WHERE id = 2"))) {
                dialect.bind(park, 1, Job.PARKED);
                return park.executeUpdate();
            }
        });
        assertThat(migrator(product).migrate()).isNotEmpty();
        assertThat(fixture().longOf(dialect.sql("SELECT next_start FROM pawl_turn")))
                .isEqualTo(5);
        KeyTurns keys = new SqlKeys(fixture().database(product));
        List<KeyTurns.JobKey> key = List.of(new KeyTurns.JobKey("q", "k"));
        assertThat(keys.letGo(key).queues()).as("one is under way").isEmpty();
        assertThat(keys.ready("q", "").keys()).isEmpty();
        execute(List.of(dialect.sql("DELETE FROM pawl_job WHERE id = 1")));
        assertThat(keys.ended("q")).isEqualTo(key);
        assertThat(keys.letGo(key).queues()).containsExactly("q");
        assertThat(fixture().longOf(dialect.sql("SELECT COUNT(*) FROM pawl_keyed")))
                .isZero();
        assertThat(fixture().longOf(dialect.sql("SELECT COUNT(*) FROM pawl_turn WHERE under_way = '2'")))
                .isOne();
    }

    /** Jobs of keys are under way at older workers, or wait for a retry, as the step is taken; then those workers are gone. */
    @Test
    default void whatOlderWorkersHadUnderWayIsTakenOverInTheOrderOfItsKeys() throws Exception {
        DatabaseProduct product = beside("over");
        Dialect dialect = product.dialect();
        migrateTo(product, 26);
        String now = dialect.micros(dialect.now());
        execute(Stream.of(
                        "INSERT INTO pawl_limit (subject, name, at_once) VALUES ('keys', 'two', 2)",
                        "INSERT INTO pawl_key (queue, job_key) VALUES ('strict', 'k')",
                        "INSERT INTO pawl_key (queue, job_key) VALUES ('two', 'k')",
                        "INSERT INTO pawl_key (queue, job_key, held_until, kept_until, reason) VALUES ('held', 'k', "
                                + now + " + 3600000000, " + now + " + 3600000000, 'by hand')",
                        underWay(product, 1, "strict"),
                        underWay(product, 11, "two"),
                        underWay(product, 12, "two"),
                        keyed(1, "strict", 1),
                        keyed(11, "two", 1),
                        keyed(12, "two", 1),
                        keyed(99, "two", 1)) // it has ended, and no turn has seen that
                .map(dialect::sql)
                .toList());
        for (long id : List.of(2L, 3L, 4L)) {
            parked(product, id, "strict");
        }
        for (long id : List.of(13L, 14L, 15L)) {
            parked(product, id, "two");
        }
        parked(product, 21, "held");
        execute(
                List.of(
                        dialect.sql(
                                "UPDATE pawl_job SET state = 0, leased_by = NULL, lease_expires_at = NULL, started_at = NULL WHERE id = 12")));
        Map<String, Integer> atOnce = new ConcurrentHashMap<>();
        Map<String, Integer> most = new ConcurrentHashMap<>();
        List<Long> strict = new CopyOnWriteArrayList<>();
        CountDownLatch another = new CountDownLatch(1);
        try (JobQueue queue = open(product, true);
                Worker worker = Worker.on(queue)
                        .queues("strict", "two", "held")
                        .pollInterval(Duration.ofMillis(20))
                        .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
                        .handle(Fixture.GREET, (name, run) -> {
                            String of = run.job().queue();
                            most.merge(of, atOnce.merge(of, 1, Integer::sum), Math::max);
                            if (of.equals("strict")) {
                                strict.add(run.job().id());
                            }
                            boolean unused =
                                    another.await(10, TimeUnit.MILLISECONDS); // long enough for another one to begin
                            atOnce.merge(of, -1, Integer::sum);
                        })
                        .start()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> worker.stats().completed() >= 9);
            assertThat(strict).containsExactly(1L, 2L, 3L, 4L);
            assertThat(most.get("strict")).isOne();
            assertThat(most.get("two")).isLessThanOrEqualTo(2);
            assertThat(queue.limits().heldKeys()).hasSize(1);
            assertThat(queue.admin().find(21).orElseThrow().isParked()).isTrue();
            assertThat(queue.limits().openKey("held", "k")).isTrue();
            await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == 10);
            assertThat(fixture().longOf(dialect.sql("SELECT COUNT(*) FROM pawl_keyed")))
                    .isZero();
        }
    }

    /** As docs/how-to/upgrade.md has it: while jobs are under way at a worker that is gone. */
    @Test
    default void theWayBackBehindStep27KeepsWhatIsUnderWay() throws Exception {
        DatabaseProduct product = beside("back");
        Dialect dialect = product.dialect();
        migrateTo(product, 27);
        execute(Stream.of(
                        "INSERT INTO pawl_turn (queue, job_key, next_start, under_way, busy)"
                                + " VALUES ('strict', 'k', 5, '11,1', 1)",
                        underWay(product, 1, "strict"))
                .map(dialect::sql)
                .toList());
        parked(product, 2, "strict");
        execute(wayBack(dialect.product()).stream().map(dialect::sql).toList());
        assertThat(migrator(product).version()).isEqualTo(26);
        assertThat(fixture().longOf(dialect.sql("SELECT next_start FROM pawl_key WHERE queue = 'strict'")))
                .isEqualTo(5);
        assertThat(fixture().longOf(dialect.sql("SELECT SUM(job_id) FROM pawl_keyed WHERE let_go = 1")))
                .isOne();
        assertThat(migrator(product).migrate())
                .extracting(Migration::version)
                .first()
                .isEqualTo(27);
        KeyTurns keys = new SqlKeys(fixture().database(product));
        List<KeyTurns.JobKey> key = List.of(new KeyTurns.JobKey("strict", "k"));
        assertThat(keys.letGo(key).queues()).as("one is under way").isEmpty();
        execute(List.of(dialect.sql("DELETE FROM pawl_job WHERE id = 1")));
        assertThat(keys.letGo(key).queues()).containsExactly("strict");
    }

    @Test
    default void whatWasClaimedFromALaneBeforeClaimsHadTokensGoesOnAndTheStepHasAWayBack() throws Exception {
        DatabaseProduct product = beside("tokens");
        Dialect dialect = product.dialect();
        migrateTo(product, 27);
        claimedFromLane(product, 1, 0);
        assertThat(migrator(product).migrate())
                .extracting(Migration::version)
                .first()
                .isEqualTo(28);
        assertThat(fixture().longOf(dialect.sql("SELECT token FROM pawl_lane_range")))
                .isEqualTo(1);
        claimedFromLane(product, 2, 1); // by one that has not been stopped
        try (JobQueue queue = open(product, false);
                Worker worker = Worker.on(queue)
                        .handle(Fixture.GREET, (name, run) -> {})
                        .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
                        .start()) {
            await().atMost(Duration.ofSeconds(30)) // they are rescued first
                    .until(() -> worker.stats().completed() == 2);
            for (long id : new long[] {1, 2}) {
                Job job = queue.admin().find(id).orElseThrow();
                assertThat(job.state()).isEqualTo(JobState.COMPLETED);
                assertThat(job.leaseToken()).isGreaterThan(1);
            }
        }
        execute(List.of(
                dialect.sql("ALTER TABLE pawl_lane_range DROP COLUMN token"),
                dialect.sql("DELETE FROM pawl_schema WHERE version = 28")));
        assertThat(migrator(product).version()).isEqualTo(27);
        assertThat(migrator(product).migrate()).hasSize(Migrations.newest() - 27);
    }

    /** By a worker of a program that knows no tokens of ranges, and is gone. */
    private void claimedFromLane(DatabaseProduct product, long id, long after) throws SQLException {
        String now = product.dialect().now();
        execute(Stream.of(
                        id > 1 ? "" : "INSERT INTO pawl_lane (queue, priority) VALUES ('default', 0)",
                        "INSERT INTO pawl_lane_job (lane, id, created_at, max_attempts, kind, payload)" + " SELECT id, "
                                + id + ", " + now + ", 5, 'greet', '\"you\"' FROM pawl_lane",
                        "INSERT INTO pawl_lane_range (lane, after_id, last_id, jobs, leased_by, ahead, claimed_at,"
                                + " lease_expires_at) SELECT id, " + after + ", " + id + ", 1, 7, FALSE, " + now + ", "
                                + now
                                + " FROM pawl_lane")
                .filter(sql -> !sql.isEmpty())
                .map(product.dialect()::sql)
                .toList());
    }

    private static List<String> wayBack(String product) {
        String named = Map.of(
                        "postgresql", "j.id = ANY (string_to_array(t.under_way, ',')::bigint[])",
                        "mysql", "FIND_IN_SET(j.id, t.under_way) > 0",
                        "sqlite", "',' || t.under_way || ',' LIKE '%,' || j.id || ',%'")
                .get(product);
        return Stream.of(
                        "INSERT INTO pawl_keyed (queue, job_key, job_id, due, priority, let_go)"
                                + " SELECT t.queue, t.job_key, j.id, 0, 0, 1"
                                + " FROM pawl_turn t JOIN pawl_job j ON j.queue = t.queue AND j.state < 2 AND " + named
                                + " WHERE t.busy = 1 AND NOT EXISTS (SELECT 1 FROM pawl_keyed k WHERE k.job_id = j.id)",
                        "DROP INDEX pawl_turn_busy" + (product.equals("mysql") ? " ON pawl_turn" : ""),
                        "ALTER TABLE pawl_turn DROP COLUMN under_way",
                        "ALTER TABLE pawl_turn DROP COLUMN busy",
                        "ALTER TABLE pawl_turn RENAME TO pawl_key",
                        product.equals("postgresql") ? "ALTER INDEX pawl_turn_pkey RENAME TO pawl_key_pkey" : "",
                        "DELETE FROM pawl_schema WHERE version = 27")
                .filter(sql -> !sql.isEmpty())
                .toList();
    }

    private static String keyed(long id, String queue, int letGo) {
        return "INSERT INTO pawl_keyed (queue, job_key, job_id, due, priority, let_go) VALUES ('" + queue + "', 'k', "
                + id + ", 1, 0, " + letGo + ")";
    }

    /** At a worker that is gone. */
    private static String underWay(DatabaseProduct product, long id, String queue) {
        String now = product.dialect().now();
        return "INSERT INTO pawl_job (id, state, attempt, max_attempts, leased_by, lease_expires_at, lease_token, started_at,"
                + " created_at, available_at, queue, kind, payload, headers) VALUES (" + id + ", 1, 1, 5, 1, " + now
                + ", 1, " + now + ", " + now + ", " + now + ", '" + queue + "', 'greet', '\"you\"',"
                + " '{\"pawl-key\":\"k\"}')";
    }

    private void parked(DatabaseProduct product, long id, String queue) throws SQLException {
        Dialect dialect = product.dialect();
        fixture().database.autocommit(connection -> {
            try (PreparedStatement park = connection.prepareStatement(dialect.sql(
                    "INSERT INTO pawl_job (id, state, attempt, max_attempts, created_at, available_at, queue, kind, payload,"
                            + " headers) VALUES (" + id + ", 0, 0, 5, " + dialect.now() + ", " + dialect.moment()
                            + ", '"
                            + queue + "', 'greet', '\"you\"', '{\"pawl-key\":\"k\"}')"))) {
                dialect.bind(park, 1, Job.PARKED);
                return park.executeUpdate();
            }
        });
        execute(List.of(dialect.sql(keyed(id, queue, 0))));
    }

    /** Where the table of keys is copied: an older program goes on writing to it while the next try waits for its transactions. */
    @Test
    default void whatAKeyIsToldBetweenTwoTriesOfTheStepIsKept() throws Exception {
        DatabaseProduct product = beside("copied");
        Dialect dialect = product.dialect();
        assumeThat(dialect.product()).isEqualTo("mysql");
        migrateTo(product, 26);
        execute(Stream.of(
                        "INSERT INTO pawl_key (queue, job_key, next_start) VALUES ('q', 'k', 5)",
                        "INSERT INTO pawl_key (queue, job_key, next_start) VALUES ('q', 'l', 5)")
                .map(dialect::sql)
                .toList());
        List<String> step = Migrations.of(dialect).get(26).statements();
        execute(step.subList(0, indexOf(step, "DROP TABLE"))); // which gave up: somebody's transaction was open
        execute(List.of(dialect.sql(
                "UPDATE pawl_key SET held_until = 9, failures = 2, reason = 'down', next_start = 7, kept_until = 8"
                        + " WHERE job_key = 'k'")));
        assertThat(migrator(product).migrate()).isNotEmpty();
        assertThat(fixture()
                        .longOf(dialect.sql("SELECT COUNT(*) FROM pawl_turn WHERE job_key = 'k' AND held_until = 9"
                                + " AND failures = 2 AND reason = 'down' AND next_start = 7 AND kept_until = 8")))
                .isOne();
        assertThat(fixture().longOf(dialect.sql("SELECT next_start FROM pawl_turn WHERE job_key = 'l'")))
                .isEqualTo(5);
    }

    private static int indexOf(List<String> statements, String start) {
        for (int index = 0; index < statements.size(); index++) {
            if (statements.get(index).startsWith(start)) {
                return index;
            }
        }
        throw new IllegalStateException("no statement begins with " + start);
    }

    @Test
    default void aDatabaseOfVersion3KeepsItsJobs() throws Exception {
        DatabaseProduct product = beside("three");
        migrateTo(product, 3);
        String now = product.dialect().now();
        String columns =
                "(id, state, attempt, max_attempts, leased_by, created_at, available_at, started_at, %s, queue,"
                        + " kind, payload, lease_token)";
        String values = " VALUES (%d, %d, %d, 5, %s, %s, %s, %s, %s, 'default', 'greet', '\"you\"', 1)";
        String job = "INSERT INTO pawl_job " + columns.formatted("lease_expires_at");
        execute(List.of(
                        job + values.formatted(1, 0, 0, "NULL", now, now, "NULL", "NULL"),
                        job + values.formatted(2, 1, 1, "1", now, now, now, now),
                        "INSERT INTO pawl_job_history " + columns.formatted("finished_at, priority")
                                + values.formatted(3, 2, 1, "1", now, now, now, now + ", 0"))
                .stream()
                .map(product.dialect()::sql)
                .toList());
        assertThat(migrator(product).migrate())
                .extracting(Migration::version)
                .first()
                .isEqualTo(4);
        try (JobQueue queue = open(product, false)) {
            try (Worker worker = Worker.on(queue)
                    .handle(Fixture.GREET, (name, run) -> {})
                    .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(1)))
                    .start()) {
                await().atMost(Duration.ofSeconds(30)) // the second one is rescued first
                        .until(() -> queue.admin()
                                        .list(JobFilter.ALL.state(JobState.COMPLETED))
                                        .size()
                                == 3);
                await().until(() -> worker.stats().completed() == 2);
            }
        }
    }

    /**
     * Where the server commits after each statement of a step. Each takes a schema of its own: the newest steps are tried
     * whole, and of the older ones, which change no more, some ({@code PAWL_CONTRACTS=all} tries each).
     */
    @Test
    default void aStepThatCameToNoEndIsFinishedByTheNextProgram() throws Exception {
        assumeThat(fixture().database.dialect().product()).isEqualTo("mysql");
        for (int step = 0; step < Migrations.newest(); step++) {
            int statements = Migrations.of(fixture().database.dialect())
                    .get(step)
                    .statements()
                    .size();
            for (int done = 1; done < statements; done += step == 0 ? 4 : 1) {
                String crash = "crash" + step + "_" + done;
                if (step < Migrations.newest() - 3
                        && !Draw.isAll("PAWL_CONTRACTS")
                        && Draw.of(crash).nextInt(12) > 0) {
                    continue;
                }
                DatabaseProduct product = beside(crash);
                migrateTo(product, step);
                execute(Migrations.of(product.dialect()).get(step).statements().subList(0, done));
                assertThat(migrator(product).version()).isEqualTo(step);
                migrator(product).migrate();
                try (JobQueue queue = open(product, false)) {
                    queue.enqueue(Fixture.GREET, "you");
                    assertThat(new SqlJobStore(product, fixture().database(product), Retention.DEFAULTS)
                                    .strategy(fixture().strategy)
                                    .claim(fixture().request(1)))
                            .hasSize(1);
                }
            }
        }
    }

    @Test
    default void aStepThatWaitsForATransactionHoldsUpNobodyElseForLong() throws Exception {
        assumeThat(fixture().database.dialect().product()).isNotEqualTo("sqlite"); // one writer: everybody waits
        DatabaseProduct product = beside("waits");
        migrateTo(product, 3);
        try (Connection open = fixture().pool.getConnection()) {
            open.setAutoCommit(false);
            String job = product.dialect()
                    .sql("INSERT INTO pawl_job (created_at, available_at, max_attempts, queue, kind, payload) VALUES ("
                            + product.dialect().now() + ", " + product.dialect().now()
                            + ", 1, 'default', 'greet', '1')");
            fixture().execute(open, job);
            CompletableFuture<List<Migration>> migrated = CompletableFuture.supplyAsync(() -> {
                try {
                    return migrator(product).migrate();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            String waiting = fixture().database.dialect().product().equals("postgresql")
                    ? "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = '"
                            + product.dialect().sql("pawl_job") + "'::regclass"
                    : "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE '%metadata lock%' AND info LIKE"
                            + " '%ALTER TABLE " + product.dialect().sql("pawl_job") + "%' AND id <> CONNECTION_ID()";
            await().pollInterval(Duration.ofMillis(5)).until(() -> fixture().longOf(waiting) > 0);
            CompletableFuture<Void> behind = CompletableFuture.runAsync(() -> executed(job));
            behind.get(
                    Fixture.SOON.toSeconds(), TimeUnit.SECONDS); // comes behind the one that waits, and is let through
            assertThat(migrated).isNotDone();
            open.rollback();
            assertThat(migrated.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).hasSize(Migrations.newest() - 3);
        }
    }

    @Test
    default void oldAndNewProgramsWorkTogetherAndTheOldOneGoesOn(@TempDir Path folder) throws Exception {
        addAStep(folder);
        AtomicLong enqueued = new AtomicLong();
        AtomicBoolean enough = new AtomicBoolean();
        try (Worker old = Worker.on(fixture().queue)
                .pollInterval(Duration.ofMillis(20))
                .handle(Fixture.GREET, (name, run) -> {})
                .start()) {
            CompletableFuture<Void> feeding = CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    fixture().queue.enqueueAll(Fixture.GREET, List.of("a", "b", "c", "d", "e"));
                    enqueued.addAndGet(5);
                }
            });
            try (JavaProcess newer = JavaProcess.startOtherBuild(
                    folder, UpgradedWorker.class, Map.of(), testDatabase().jdbcUrl(), fixture().prefix)) {
                newer.awaitOutput("has run 100 jobs", Duration.ofSeconds(60));
                assertThat(fixture().longOf("SELECT MAX(version) FROM pawl_schema"))
                        .isEqualTo(Migrations.newest() + 1);
                long before = old.stats().completed();
                await().until(() -> old.stats().completed() > before + 100);
            }
            enough.set(true);
            feeding.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            for (boolean migrate : new boolean[] {false, true}) {
                JobQueue.builder(fixture().pool)
                        .tablePrefix(fixture().prefix)
                        .migrate(migrate)
                        .open()
                        .close();
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> fixture().admin.finished().stream()
                                    .mapToLong(FinishedJobs::completed)
                                    .sum()
                            == enqueued.get());
            assertThat(old.stats().failed()).isZero();
        }
    }

    /** What the next version of the program would have. */
    private void addAStep(Path folder) throws IOException {
        Path migrations = folder.resolve("dev/pawl/migrations");
        String product = fixture().database.dialect().product();
        Files.createDirectories(migrations.resolve(product));
        List<String> names = Migrations.of(fixture().database.dialect()).stream()
                .map(Migration::name)
                .toList();
        Files.writeString(migrations.resolve("steps.txt"), String.join("\n", names) + "\nnext\n");
        Files.writeString(migrations.resolve(product).resolve("V" + (names.size() + 1) + "__next.sql"), """
                ALTER TABLE pawl_job ADD COLUMN later int NOT NULL DEFAULT 7;
                ALTER TABLE pawl_job_history ADD COLUMN later int NOT NULL DEFAULT 7;
                INSERT INTO pawl_schema (version, name, applied_at, works_from) VALUES (%d, 'next', %s, %d);
                """.formatted(
                        names.size() + 1, fixture().database.dialect().now(), names.size()));
    }
}
