package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.schema.LeftBehind;
import dev.pawl.internal.schema.Migration;
import dev.pawl.internal.schema.Migrations;
import dev.pawl.internal.schema.Migrator;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schema migrates from version to version while programs of several versions use it. */
@WhiteBox
interface UpgradeContract extends Contract {
    /** Creates tables beside the fixture's, at an earlier version. */
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

    /**
     * The migrator of the program's next version.
     *
     * @param worksFrom the oldest version of a program that can use the migrated tables
     */
    private Migrator migratorToNext(DatabaseProduct product, int worksFrom) {
        return new Migrator(fixture().pool, product.dialect(), product.schema(), steps(product.dialect(), worksFrom));
    }

    private static List<Migration> steps(Dialect dialect, int worksFrom) {
        List<Migration> steps = new ArrayList<>(Migrations.of(dialect));
        steps.add(new Migration(steps.size() + 1, "next", dialect.sql(next(dialect, worksFrom))));
        return steps;
    }

    private static String next(Dialect dialect, int worksFrom) {
        return """
                ALTER TABLE pawl_job ADD COLUMN later int NOT NULL DEFAULT 7;
                ALTER TABLE pawl_job_history ADD COLUMN later int NOT NULL DEFAULT 7;
                INSERT INTO pawl_schema (version, name, applied_at, works_from) VALUES (%d, 'next', %s, %d);
                """.formatted(Migrations.newest() + 1, dialect.now(), worksFrom);
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
            assertThat(queue.admin().jobs().find(id).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
        }
    }

    /** Runs one script, and lets the server split the statements. */
    private void runAsAnyToolDoes(String script) throws SQLException {
        String url = testDatabase().jdbcUrl();
        String several = url + (url.contains("?") ? "&" : "?") + "allowMultiQueries=true";
        boolean mySql = fixture().database.dialect().product().equals("mysql");
        try (HikariDataSource pool = new TestDatabase(mySql ? several : url, () -> {}).newDataSource(1);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
            while (mySql && (statement.getMoreResults() || statement.getUpdateCount() >= 0)) {
                // errors of later statements show here
            }
        }
    }

    /** A worker knows no version later than the one that the tables had when it registered. */
    @Test
    default void liveWorkersThatAMigrationExcludesAreCounted() throws Exception {
        DatabaseProduct product = beside("behind");
        Dialect dialect = product.dialect();
        Migrator migrator = migratorToNext(product, Migrations.newest() + 1);
        assertThat(migrator.leftBehind()).as("no tables yet").isEmpty();
        migrator(product).migrate();
        assertThat(migrator.leftBehind()).as("no workers").isEmpty();
        String worker =
                dialect.sql("INSERT INTO pawl_worker (name, queues, kinds, concurrency, max_concurrency, started_at,"
                        + " heartbeat_at, stopped_at)"
                        + " VALUES ('w', '[]', '[]', 1, 1, " + dialect.now() + ", %s, %s)");
        String longAgo = dialect.nowPlusMicros().replace("?", "-120000000");
        execute(List.of(
                worker.formatted(dialect.now(), "NULL"),
                worker.formatted(dialect.now(), "NULL"),
                worker.formatted(dialect.now(), dialect.now()),
                worker.formatted(longAgo, "NULL")));
        LeftBehind left = migrator.leftBehind().orElseThrow();
        assertThat(left.workers()).as("neither stopped nor dead workers").isEqualTo(2);
        assertThat(left.known()).isEqualTo(Migrations.newest());
        assertThat(left.step().name()).isEqualTo("next");
        assertThat(left.needed()).isEqualTo(Migrations.newest() + 1);
        List<LeftBehind> warned = new ArrayList<>();
        assertThat(migrator.migrate(warned::add)).hasSize(1);
        assertThat(warned).as("who migrates is told").containsExactly(left);
        assertThat(migrator.migrate(warned::add)).isEmpty();
        assertThat(warned).as("once").hasSize(1);
        assertThat(migrator.leftBehind()).isEmpty();
        assertThatThrownBy(() -> migrator(product).requireCurrent())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("Upgrade Pawl");
    }

    /** The server commits after each statement of a migration. Each simulated crash has tables of its own. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void theNextProgramFinishesAnInterruptedMigration() throws Exception {
        assumeThat(fixture().database.dialect().product()).isEqualTo("mysql");
        int newest = Migrations.newest();
        for (int step = 0; step <= newest; step++) {
            int statements = steps(fixture().database.dialect(), newest)
                    .get(step)
                    .statements()
                    .size();
            for (int done = 1; done < statements; done += step < newest ? 7 : 1) {
                DatabaseProduct product = beside("crash" + step + "_" + done);
                Migrator migrator = migratorToNext(product, newest);
                List<Migration> steps = steps(product.dialect(), newest);
                for (Migration whole : steps.subList(0, step)) {
                    execute(whole.statements());
                }
                execute(steps.get(step).statements().subList(0, done));
                assertThat(migrator.version()).isEqualTo(step);
                migrator.migrate();
                assertThat(migrator.version()).isEqualTo(newest + 1);
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
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aMigrationThatWaitsForATransactionBlocksOthersOnlyBriefly() throws Exception {
        assumeThat(fixture().database.dialect().product()).isNotEqualTo("sqlite"); // SQLite has one writer: all wait
        DatabaseProduct product = beside("waits");
        migrator(product).migrate();
        try (Connection open = fixture().pool.getConnection()) {
            open.setAutoCommit(false);
            String job = product.dialect()
                    .sql("INSERT INTO pawl_job (created_at, available_at, max_attempts, queue, kind, payload) VALUES ("
                            + product.dialect().now() + ", " + product.dialect().now()
                            + ", 1, 'default', 'greet', '1')");
            fixture().execute(open, job);
            CompletableFuture<List<Migration>> migrated = CompletableFuture.supplyAsync(() -> {
                try {
                    return migratorToNext(product, Migrations.newest()).migrate();
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
                    Fixture.SOON.toSeconds(),
                    // the insert waits behind the migration's lock request until that request gives up, and then goes
                    // first
                    TimeUnit.SECONDS);
            assertThat(migrated).isNotDone();
            open.rollback();
            assertThat(migrated.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
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
                    .until(() -> fixture().admin.queues().finished(Admin.UNLIMITED).stream()
                                    .mapToLong(FinishedJobs::completed)
                                    .sum()
                            == enqueued.get());
            assertThat(old.stats().failed()).isZero();
        }
    }

    /** The migration of the program's next version. */
    private void addAStep(Path folder) throws IOException {
        Path migrations = folder.resolve("dev/pawl/migrations");
        String product = fixture().database.dialect().product();
        Files.createDirectories(migrations.resolve(product));
        List<String> names = Migrations.of(fixture().database.dialect()).stream()
                .map(Migration::name)
                .toList();
        Files.writeString(migrations.resolve("steps.txt"), String.join("\n", names) + "\nnext\n");
        Files.writeString(
                migrations.resolve(product).resolve("V" + (names.size() + 1) + "__next.sql"),
                next(fixture().database.dialect(), names.size()));
    }
}
