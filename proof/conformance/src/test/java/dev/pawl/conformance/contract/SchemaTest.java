package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Finding;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobType;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.schema.Migration;
import dev.pawl.internal.schema.Migrations;
import dev.pawl.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue in a named schema, on a pool with another default schema. */
@WhiteBox
abstract class SchemaTest {
    static final JobType<String> GREET = JobType.of("greet", String.class);

    final TestDatabase database = newDatabase();

    abstract TestDatabase newDatabase();

    /** {@return a newly created schema, which {@link #drop} removes} */
    abstract String create(String name) throws SQLException;

    abstract void drop(String schema) throws SQLException;

    /** {@return the product's name in {@code pawl migrate --print}} */
    abstract String product();

    /** {@return a statement that makes a schema a connection's default} */
    abstract String enter(String schema);

    @AfterEach
    void dropped() {
        database.close();
    }

    HikariDataSource pool(String... first) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(5);
        if (first.length > 0) {
            config.setConnectionInitSql(first[0]);
        }
        return new HikariDataSource(config);
    }

    void execute(String sql) throws SQLException {
        try (HikariDataSource pool = pool();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static List<String> payloads(JobQueue queue) {
        return queue.admin().jobs().list(JobFilter.ALL).stream()
                .map(Job::payload)
                .sorted()
                .toList();
    }

    @Test
    void twoSchemasAreTwoQueuesOnOnePool() throws Exception {
        String one = create("one");
        String other = create("Other-2");
        try (HikariDataSource pool = pool();
                JobQueue first = JobQueue.builder(pool).schema(one).open();
                JobQueue second = JobQueue.builder(pool).schema(other).open();
                JobQueue usual = JobQueue.builder(pool).open()) {
            first.enqueue(GREET, "one");
            second.enqueue(GREET, "other", EnqueueOptions.DEFAULTS.uniqueKey("u"));
            usual.enqueue(GREET, "usual");
            CountDownLatch ran = new CountDownLatch(1);
            assertThat(payloads(first)).containsExactly("\"one\"");
            assertThat(payloads(second)).containsExactly("\"other\"");
            assertThat(payloads(usual)).containsExactly("\"usual\"");
            try (Worker worker = Worker.on(second)
                    .handle(GREET, (name, run) -> ran.countDown())
                    .start()) {
                assertThat(worker.isAlive()).isTrue();
                assertThat(ran.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
            assertThat(second.admin().maintenance().diagnose())
                    .anySatisfy(finding -> {
                        assertThat(finding.topic()).isEqualTo("schema");
                        assertThat(finding.message()).contains(other + "; connections of this pool are in ");
                    })
                    .noneMatch(finding -> finding.level() == Finding.Level.WARNING
                            && finding.topic().startsWith("index"));
            assertThat(second.admin().maintenance().tables())
                    .anyMatch(table -> table.table().equals("pawl_job"));
        } finally {
            drop(one);
            drop(other);
        }
    }

    @Test
    void anEnqueueInATransactionOfAConnectionThatLeadsElsewhere() throws Exception {
        String jobs = create("jobs");
        String business = create("business");
        try (HikariDataSource pool = pool();
                JobQueue queue = JobQueue.builder(pool).schema(jobs).open();
                HikariDataSource callers = pool(enter(business));
                Connection connection = callers.getConnection()) {
            connection.setAutoCommit(false);
            queue.within(connection).enqueue(GREET, "in a lane");
            queue.within(connection).enqueue(GREET, "once", EnqueueOptions.DEFAULTS.uniqueKey("u"));
            queue.within(connection).enqueue(GREET, "twice", EnqueueOptions.DEFAULTS.uniqueKey("u"));
            queue.within(connection).enqueue(GREET, "in order", EnqueueOptions.DEFAULTS.key("k"));
            connection.commit();
            queue.within(connection).enqueue(GREET, "rolled back");
            connection.rollback();
            assertThat(payloads(queue)).containsExactly("\"in a lane\"", "\"in order\"", "\"once\"");
        } finally {
            drop(jobs);
            drop(business);
        }
    }

    @Test
    void functionsOfOneSchemaEnqueueFromEverySession() throws Exception {
        String jobs = create("jobs");
        String business = create("business");
        try (HikariDataSource pool = pool(enter(business));
                JobQueue queue = JobQueue.builder(pool).schema(jobs).open();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : queue.sqlToEnqueue()) {
                statement.execute(sql);
            }
            statement.execute(call(jobs));
            assertThat(payloads(queue)).containsExactly("{}");
        } finally {
            drop(jobs);
            drop(business);
        }
    }

    abstract String call(String schema);

    @Test
    void printedStepsNameTheSchema() throws Exception {
        String jobs = create("jobs");
        String business = create("business");
        Dialect dialect = Databases.dialect(product(), "p_", jobs);
        try (HikariDataSource pool = pool(enter(business));
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (Migration step : Migrations.of(dialect)) {
                for (String sql : step.statements()) {
                    statement.execute(sql);
                }
            }
            try (JobQueue queue = JobQueue.builder(pool)
                    .tablePrefix("p_")
                    .schema(jobs)
                    .migrate(false)
                    .open()) {
                queue.enqueue(GREET, "x");
            }
        } finally {
            drop(jobs);
            drop(business);
        }
    }

    @Test
    void aSchemaThatIsNotThereIsRefused() {
        try (HikariDataSource pool = pool()) {
            assertThatThrownBy(() -> JobQueue.builder(pool).schema("nowhere").open())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("'nowhere'")
                    .hasMessageContaining("CREATE");
            assertThatThrownBy(() -> JobQueue.builder(pool).schema("a\"b"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
