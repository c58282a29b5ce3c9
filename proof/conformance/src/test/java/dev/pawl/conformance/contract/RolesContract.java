package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.PawlException;
import dev.pawl.api.QueueFullException;
import dev.pawl.api.Retention;
import dev.pawl.api.UniqueWhile;
import dev.pawl.limit.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The GRANTs of docs/reference/roles.md, verbatim, and what each role may do with them. */
interface RolesContract extends Contract {
    /** Scopes of unique keys that need more rights than the scope LIVE. */
    Set<UniqueWhile> SCOPES = EnumSet.complementOf(EnumSet.of(UniqueWhile.LIVE));

    /** Calls that read first, and write only if necessary: if nothing has to be written, a role that may only read is not refused. */
    Pattern READ_FIRST = Pattern.compile(".* twice|Maintenance.prune.*|Series.take.*");

    /** The page's heading for this database. */
    String heading();

    HikariDataSource as(String role);

    /** {@return statements that drop a role and its grants} */
    List<String> forget(String role);

    /** {@return the PostgreSQL statement in this database's dialect} */
    default List<String> translated(String grant) {
        return List.of(grant);
    }

    private static String page() throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/reference/roles.md"))) {
            folder = java.util.Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return Files.readString(folder.resolve("docs/reference/roles.md"));
    }

    /** {@return the statements of the first block under a heading} */
    private static List<String> block(String heading) throws IOException {
        String page = page();
        int begin = page.indexOf("```sql\n", page.indexOf("## " + heading)) + "```sql\n".length();
        return Arrays.stream(page.substring(begin, page.indexOf("```", begin)).split(";", -1))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    private JobQueueBuilder queue(DataSource pool) {
        return JobQueue.builder(pool).tablePrefix(fixture().prefix).migrate(false);
    }

    private void refused(DataSource pool, String... statements) throws SQLException {
        for (String sql : statements) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThatThrownBy(() ->
                                statement.execute(fixture().database.dialect().sql(sql)))
                        .as(sql)
                        .isInstanceOf(SQLException.class)
                        .satisfies(error -> assertThat(((SQLException) error).getSQLState())
                                .as("no right: %s", error)
                                .isIn("42501", "42000"));
            }
        }
    }

    /** Work with roles that were created as the page says. */
    @FunctionalInterface
    interface Roles {
        /** @param own the prefix of their names */
        void use(String own) throws Exception;
    }

    private void withRoles(Roles work) throws Exception {
        String own = "r" + UUID.randomUUID().toString().substring(0, 8) + "_";
        try {
            for (String grant : block(heading())) {
                fixture().execute(grant.replace("jobs_", own));
            }
            work.use(own);
        } finally {
            for (String role : List.of("producer", "worker", "reader")) {
                for (String statement : forget(own + role)) {
                    fixture().execute(statement);
                }
            }
        }
    }

    private void grantMore(String own) throws Exception {
        for (String grant : block("What a producer is refused")) {
            for (String each : translated(grant.replace("jobs_", own))) {
                fixture().execute(each);
            }
        }
    }

    @Test
    default void eachRoleDoesItsWorkAndNoMore() throws Exception {
        withRoles(own -> {
            try (HikariDataSource producer = as(own + "producer")) {
                aProducerOnlyEnqueues(producer);
                grantMore(own);
                aProducerMayBeAllowedMore(producer);
            }
            try (HikariDataSource worker = as(own + "worker")) {
                aWorkerWorks(worker);
            }
            try (HikariDataSource reader = as(own + "reader")) {
                aReaderReads(reader);
            }
        });
    }

    /** Each role can make every call that the page promises, and no other. */
    @Test
    default void eachRoleMayMakeExactlyThePromisedCalls() throws Exception {
        withRoles(own -> {
            List<String> wrong = new ArrayList<>();
            try (HikariDataSource producer = as(own + "producer")) {
                wrong.addAll(broken(ApiCall.Role.PRODUCER, producer));
                enqueueBySql(producer, own);
                grantMore(own);
                wrong.addAll(broken(ApiCall.Role.PRODUCER_WITH_MORE, producer));
            }
            try (HikariDataSource worker = as(own + "worker")) {
                wrong.addAll(broken(ApiCall.Role.WORKER, worker));
            }
            try (HikariDataSource reader = as(own + "reader")) {
                wrong.addAll(broken(ApiCall.Role.READER, reader));
            }
            assertThat(wrong).isEmpty();
        });
    }

    /** {@return the promises that a role's grants do not keep} */
    private List<String> broken(ApiCall.Role role, HikariDataSource pool) throws Exception {
        List<String> wrong = new ArrayList<>();
        try (JobQueue queue = queue(pool).open()) {
            ApiTargets targets = new ApiTargets(fixture(), pool, queue);
            for (ApiCall each : ApiCalls.all()) {
                boolean may = each.may().contains(role);
                Throwable failure = catchThrowable(() -> each.call().on(targets));
                if (may && failure != null) {
                    wrong.add(role + " may " + each.name() + ": " + failure);
                } else if (!may && role != ApiCall.Role.PRODUCER_WITH_MORE && !isRefused(role, each, failure)) {
                    wrong.add(role + " may not " + each.name() + ": " + failure);
                }
            }
        }
        return wrong;
    }

    private static boolean isRefused(ApiCall.Role role, ApiCall call, @Nullable Throwable failure) {
        if (role == ApiCall.Role.READER
                && failure == null
                && READ_FIRST.matcher(call.name()).matches()) {
            return true;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException refused
                    && Set.of("42501", "42000").contains(refused.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** Jobs enqueued by SQL alone. */
    private void enqueueBySql(HikariDataSource producer, String own) throws Exception {
        boolean isMySql = fixture().database.dialect().product().equals("mysql");
        try (Connection connection = fixture().pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : fixture().queue.sqlToEnqueue()) {
                statement.execute(sql);
            }
        }
        for (String grant : isMySql ? block("Jobs that come by SQL alone") : List.<String>of()) {
            fixture().execute(grant.replace("jobs_", own));
        }
        String call = isMySql
                ? "CALL pawl_enqueue('greet', '1', 'door', 0, 0, 3)"
                : "SELECT pawl_enqueue('greet', '1', 'door')";
        try (Connection connection = producer.getConnection()) {
            fixture().execute(connection, call);
        }
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.queue("door"))).hasSize(1);
    }

    /** The page lists what this class tests. */
    @Test
    default void thePageSaysWhatEachRoleMayCall() throws Exception {
        assertThat(page()).contains(ApiCalls.table());
    }

    private void aProducerOnlyEnqueues(DataSource pool) throws Exception {
        EnqueueOptions plain = EnqueueOptions.DEFAULTS;
        try (JobQueue queue = queue(pool).open()) {
            queue.enqueue(Fixture.GREET, "in a lane");
            queue.enqueueAll(Fixture.GREET, List.of("two", "three", "four"));
            queue.enqueue(Fixture.GREET, "later", plain.delay(Duration.ofMillis(1)));
            queue.enqueueAll(Fixture.GREET, List.of("some", "later"), any -> plain.delay(Duration.ofMillis(1)));
            queue.enqueue(Fixture.GREET, "with a key", plain.key("k"));
            assertThat(queue.enqueue(Fixture.GREET, "once", plain.uniqueKey("u")))
                    .isInstanceOf(EnqueueResult.Inserted.class);
            assertThat(queue.enqueue(Fixture.GREET, "twice", plain.uniqueKey("u")))
                    .isInstanceOf(EnqueueResult.Duplicate.class);
            EnqueueOptions hour = plain.uniqueKey("hour", Duration.ofHours(1));
            assertThat(queue.enqueue(Fixture.GREET, "once", hour)).isInstanceOf(EnqueueResult.Inserted.class);
            assertThat(queue.enqueue(Fixture.GREET, "twice", hour)).isInstanceOf(EnqueueResult.Duplicate.class);
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                queue.within(connection).enqueue(Fixture.GREET, "with the caller's transaction");
                connection.commit();
            }
            assertThatThrownBy(() -> queue.enqueue(
                            Fixture.GREET, "instead", plain.uniqueKey("u").onDuplicate(OnDuplicate.REPLACE)))
                    .isInstanceOf(PawlException.class);
            for (UniqueWhile scope : SCOPES) {
                assertThat(queue.enqueue(Fixture.GREET, "once", in(scope))).isInstanceOf(EnqueueResult.Inserted.class);
                assertThatThrownBy(() -> queue.enqueue(Fixture.GREET, "twice", in(scope)))
                        .as("uniqueWhile %s", scope)
                        .isInstanceOf(PawlException.class);
            }
        }
        assertThat(fixture().count("pawl_lane_job WHERE lane > 0")).isEqualTo(5);
        refused(
                pool,
                "SELECT payload FROM pawl_job",
                "SELECT payload FROM pawl_lane_job",
                "SELECT * FROM pawl_job_history",
                "UPDATE pawl_job SET payload = 'x'",
                "DELETE FROM pawl_job",
                "DELETE FROM pawl_lane_job",
                "INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, leased_by, ahead, claimed_at)"
                        + " VALUES (1, 0, 1, 1, 1, FALSE, CURRENT_TIMESTAMP)",
                "INSERT INTO pawl_queue (name) VALUES ('mine')");
    }

    private void aProducerMayBeAllowedMore(DataSource pool) {
        EnqueueOptions replacing = EnqueueOptions.DEFAULTS.uniqueKey("u").onDuplicate(OnDuplicate.REPLACE);
        try (JobQueue queue = queue(pool).maxWaiting("default", 5).open()) {
            assertThatThrownBy(() -> queue.enqueue(Fixture.GREET, "too many")).isInstanceOf(QueueFullException.class);
        }
        try (JobQueue queue = queue(pool).open()) {
            assertThat(queue.enqueue(Fixture.GREET, "instead", replacing)).isInstanceOf(EnqueueResult.Replaced.class);
            for (UniqueWhile scope : SCOPES) {
                assertThat(queue.enqueue(Fixture.GREET, "twice", in(scope)))
                        .as("uniqueWhile %s", scope)
                        .isInstanceOf(EnqueueResult.Duplicate.class);
                assertThat(queue.enqueue(Fixture.GREET, "instead", in(scope).onDuplicate(OnDuplicate.REPLACE)))
                        .as("uniqueWhile %s, replaced", scope)
                        .isInstanceOf(EnqueueResult.Replaced.class);
                queue.enqueueAll(Fixture.GREET, List.of("a", "b"), any -> in(scope));
            }
        }
    }

    private static EnqueueOptions in(UniqueWhile scope) {
        return EnqueueOptions.DEFAULTS.uniqueKey("while " + scope).uniqueWhile(scope);
    }

    private void aWorkerWorks(DataSource pool) throws Exception {
        try (JobQueue queue = queue(pool).open()) {
            queue.limits().set(Limit.queue("default").atOnce(50));
            queue.enqueue(Fixture.GREET, "its own");
            List<String> seen = java.util.Collections.synchronizedList(new ArrayList<>());
            try (Worker worker = Worker.on(queue)
                    .pollInterval(Duration.ofMillis(50))
                    .handle(Fixture.GREET, (name, run) -> {
                        seen.add(name);
                        if (name.equals("three") && run.attempt() == 1) {
                            throw new IllegalStateException("once");
                        }
                        if (name.equals("four")) {
                            run.transaction(connection -> {});
                        }
                    })
                    .start()) {
                org.awaitility.Awaitility.await()
                        .atMost(Fixture.SOON)
                        .until(() -> queue.admin().jobs().list(JobFilter.ALL).stream()
                                .filter(job -> !RolesContract.waitsForItsRetry(job))
                                .allMatch(job -> job.state().isFinished()));
                assertThat(worker.isAlive()).isTrue();
            }
            assertThat(seen).contains("in a lane", "later", "with a key", "instead", "with the caller's transaction");
            long retried = queue.admin().jobs().list(JobFilter.ALL).stream()
                    .filter(job -> !job.state().isFinished())
                    .findFirst()
                    .orElseThrow()
                    .id();
            queue.admin().jobs().cancel(retried);
            assertThat(queue.admin().maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                    .isPositive();
            queue.admin().queues().pause("default");
            queue.admin().queues().resume("default");
        }
        refused(pool, "ALTER TABLE pawl_job ADD COLUMN more int", "DROP TABLE pawl_job", "DELETE FROM pawl_schema");
    }

    private static boolean waitsForItsRetry(Job job) {
        return job.state() == JobState.AVAILABLE && job.attempt() == 1;
    }

    private void aReaderReads(DataSource pool) throws Exception {
        long id = fixture().enqueue();
        try (JobQueue queue = queue(pool).open()) {
            assertThat(queue.admin().jobs().find(id)).isPresent();
            assertThat(queue.admin().jobs().list(JobFilter.ALL)).isNotEmpty();
            assertThat(queue.admin().queues().list(Admin.UNLIMITED)).isNotEmpty();
            assertThat(queue.admin().maintenance().diagnose())
                    .anyMatch(finding -> finding.topic().equals("ids"));
            queue.admin().workers().list();
            queue.admin().queues().finished(Admin.UNLIMITED);
            queue.limits().list();
            queue.schedules().list();
            assertThatThrownBy(() -> queue.admin().jobs().cancel(id)).isInstanceOf(PawlException.class);
            assertThatThrownBy(() -> queue.admin().queues().pause("default")).isInstanceOf(PawlException.class);
            assertThatThrownBy(() -> queue.enqueue(Fixture.GREET, "x")).isInstanceOf(PawlException.class);
        }
        refused(pool, "DELETE FROM pawl_lane_job", "UPDATE pawl_job SET priority = 1");
    }

    /** A migration that adds a table must also add this table to the page. */
    @Test
    default void thePageNamesEveryTable() throws Exception {
        List<String> grants = block(heading());
        String worker = String.join(
                "\n", grants.stream().filter(grant -> grant.contains("_worker")).toList());
        String reader = String.join(
                "\n", grants.stream().filter(grant -> grant.contains("_reader")).toList());
        try (Connection connection = fixture().pool.getConnection();
                ResultSet tables = connection
                        .getMetaData()
                        .getTables(
                                connection.getCatalog(),
                                connection.getSchema(),
                                fixture()
                                                .prefix
                                                .replace(
                                                        "_",
                                                        connection.getMetaData().getSearchStringEscape() + "_") + "%",
                                new String[] {"TABLE", "BASE TABLE"})) {
            int found = 0;
            while (tables.next()) {
                String table = tables.getString("TABLE_NAME").replace(fixture().prefix, "pawl_");
                assertThat(worker).containsPattern("\\b" + table + "\\b");
                assertThat(reader).containsPattern("\\b" + table + "\\b");
                found++;
            }
            assertThat(found).isGreaterThan(20);
        }
    }
}
