package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Jobs enqueued by SQL alone. */
interface EnqueueSqlContract extends Contract {
    private void open(JobQueue queue) throws SQLException {
        try (Connection connection = fixture().pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            for (String sql : queue.sqlToEnqueue()) {
                statement.execute(sql);
            }
        }
    }

    /** {@return a call of the function, in the product's dialect} */
    private String call(String kind, String payload, String queue, int delaySeconds) {
        return switch (fixture().database.dialect().product()) {
            case "postgresql" ->
                "SELECT pawl_enqueue(%s, %s, queue => %s, delay => interval '%d seconds')"
                        .formatted(kind, payload, queue, delaySeconds);
            case "mysql" -> "CALL pawl_enqueue(%s, %s, %s, 0, %d, 20)".formatted(kind, payload, queue, delaySeconds);
            default ->
                "INSERT INTO pawl_enqueue (kind, payload, queue, delay_seconds) VALUES (%s, %s, %s, %d)"
                        .formatted(kind, payload, queue, delaySeconds);
        };
    }

    @Test
    default void jobsEnqueuedBySqlRunAndRollBackWithTheirTransaction() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        JobType<String> type = JobType.of("hello", String.class);
        open(fixture().queue);
        long before = fixture().enqueue();
        try (Connection connection = fixture().pool.getConnection()) {
            connection.setAutoCommit(false);
            fixture().execute(connection, call("'hello'", "'\"committed\"'", "'other'", 0));
            connection.commit();
            fixture().execute(connection, call("'hello'", "'\"rolled back\"'", "'other'", 0));
            connection.rollback();
        }
        fixture().execute(call("'hello'", "'\"later\"'", "'other'", 3600));
        long after = fixture().enqueue();
        List<Job> jobs = fixture().admin.jobs().list(JobFilter.ALL.queue("other"));
        assertThat(jobs).hasSize(2).allSatisfy(job -> {
            assertThat(job.maxAttempts()).isEqualTo(20);
            assertThat(job.id()).isBetween(before + 1, after - 1);
        });
        assertThat(jobs)
                .filteredOn(job -> job.payload().contains("later"))
                .singleElement()
                .satisfies(job -> assertThat(Duration.between(job.createdAt(), job.availableAt()))
                        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61)));
        Worker worker = fixture()
                .newWorker()
                .queues("other")
                .handle(type, (text, run) -> ran.add(text))
                .start();
        try (worker) {
            long committed = jobs.stream()
                    .filter(job -> job.payload().contains("committed"))
                    .findFirst()
                    .orElseThrow()
                    .id();
            fixture().awaitState(committed, JobState.COMPLETED);
        }
        assertThat(ran).containsExactly("committed");
    }

    /** The main use: the row and its job are one transaction. */
    @Test
    default void aTriggerEnqueues() throws Exception {
        open(fixture().queue);
        String name = fixture().prefix + "customer";
        String call = call("'welcome'", "'{}'", "'default'", 0);
        fixture().execute("CREATE TABLE " + name + " (id int)");
        switch (fixture().database.dialect().product()) {
            case "postgresql" -> {
                fixture()
                        .execute("CREATE FUNCTION " + name
                                + "_welcome() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM "
                                + call.substring("SELECT ".length()) + "; RETURN NEW; END $$");
                fixture()
                        .execute("CREATE TRIGGER " + name + "_t AFTER INSERT ON " + name
                                + " FOR EACH ROW EXECUTE FUNCTION " + name + "_welcome()");
            }
            case "mysql" ->
                fixture().execute("CREATE TRIGGER " + name + "_t AFTER INSERT ON " + name + " FOR EACH ROW " + call);
            default ->
                fixture().execute("CREATE TRIGGER " + name + "_t AFTER INSERT ON " + name + " BEGIN " + call + "; END");
        }
        fixture().execute("INSERT INTO " + name + " VALUES (1), (2)");
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.kind("welcome"))).hasSize(2);
    }

    @Test
    default void invalidArgumentsAreRefused() throws Exception {
        open(fixture().queue);
        for (String bad : List.of(
                call("' x'", "'{}'", "'default'", 0),
                call("'x y'", "'{}'", "'default'", 0),
                call("NULL", "'{}'", "'default'", 0),
                call("'" + "x".repeat(101) + "'", "'{}'", "'default'", 0),
                call("'x\n'", "'{}'", "'default'", 0),
                call("'x'", "'{}'", "'a queue'", 0),
                call("'x'", "'{}'", "'default'", -1))) {
            assertThatThrownBy(() -> fixture().execute(bad))
                    .as(bad)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("valid");
        }
        assertThatThrownBy(() -> fixture().execute(call("'x'", "NULL", "'default'", 0)))
                .hasMessageContaining("payload of a job is NULL");
        String large = (fixture().database.dialect().product().equals("sqlite")
                        ? "hex(zeroblob(%d))"
                        : "repeat('xy', %d)")
                .formatted(8_000_001);
        assertThatThrownBy(() -> fixture().execute(call("'x'", large, "'default'", 0)))
                .as("as large as no program may enqueue it")
                .hasMessageContaining("16000000 bytes");
        assertThat(fixture().admin.jobs().list(JobFilter.ALL)).isEmpty();
        fixture().execute(call("'x'", "'\"\u674e \ud83d\ude00\"'", "'default'", 0));
        assertThat(fixture().admin.jobs().list(JobFilter.ALL))
                .singleElement()
                .satisfies(job -> assertThat(job.payload()).isEqualTo("\"\u674e \ud83d\ude00\""));
        open(fixture().queue); // repeating it does no harm
    }
}
