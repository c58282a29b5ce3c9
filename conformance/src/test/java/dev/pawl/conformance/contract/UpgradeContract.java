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
     * whole, and of the older ones, which change no more, a quarter, others each time ({@code PAWL_ROWS=all} tries each).
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
                        && !Draw.isAll("PAWL_ROWS")
                        && Draw.of(crash).nextInt(4) > 0) {
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
