package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.CancelResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A queue that only reads: on writable tables, and on a database that refuses writes, as a replica does. */
@WhiteBox
interface ReadOnlyContract extends Contract {
    /** Calls that write only if they have found something to change, and find nothing here. */
    Pattern FIND_NOTHING = Pattern.compile("Maintenance.prune.*");

    private HikariDataSource replica() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(testDatabase().jdbcUrl());
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setConnectionInitSql(
                switch (fixture().database.dialect().product()) {
                    case "postgresql" -> "SET default_transaction_read_only = on";
                    case "mysql" -> "SET SESSION TRANSACTION READ ONLY";
                    default -> "PRAGMA query_only = TRUE";
                });
        return new HikariDataSource(config);
    }

    private JobQueue reading(HikariDataSource pool) {
        return JobQueue.builder(pool)
                .tablePrefix(fixture().prefix)
                .readOnly(true)
                .open();
    }

    /** What works is exactly what the role {@code jobs_reader} may call. */
    @Test
    default void everyReadWorksAndEverythingElseIsRefused() {
        List<String> wrong = new ArrayList<>();
        try (HikariDataSource pool = replica();
                JobQueue queue = reading(pool)) {
            ApiTargets targets = new ApiTargets(fixture(), pool, queue);
            for (ApiCall each : ApiCalls.all()) {
                Throwable failure = catchThrowable(() -> each.call().on(targets));
                boolean isRight = each.may().contains(ApiCall.Role.READER)
                        ? failure == null
                        : failure == null ? FIND_NOTHING.matcher(each.name()).matches() : isRefused(failure);
                if (!isRight) {
                    wrong.add(each.name() + ": " + failure);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isRefused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains("only reads")
                    || (cause instanceof SQLException error && Fault.of(error) == Fault.READ_ONLY)) {
                return true;
            }
        }
        return false;
    }

    /** Even on a database that could be written, the queue refuses to write. */
    @Test
    default void aWritableDatabaseIsNotWrittenEither() throws Exception {
        long id = fixture().enqueue();
        try (JobQueue queue = reading(fixture().pool)) {
            assertThatThrownBy(() -> queue.enqueue(GREET, "x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only reads");
            assertThatThrownBy(() -> queue.admin().jobs().cancel(id)).hasMessageContaining("only reads");
            assertThatThrownBy(() ->
                            Worker.on(queue).handle(GREET, (name, run) -> {}).start())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("only reads");
            assertThat(queue.admin().jobs().find(id)).map(Job::state).contains(JobState.AVAILABLE);
        }
    }

    /**
     * If the library lets a write pass, the database refuses it. Then the connection is discarded, as a connection to a former primary
     * would be.
     */
    @Test
    default void theDatabaseRefusesAWriteThatIsSentAsARead() {
        try (HikariDataSource own = testDatabase().newDataSource(1)) {
            Database reads = new Database(own, fixture().database.dialect()).readOnly();
            assertThatThrownBy(() -> reads.autocommit(this::write))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            error -> assertThat(Fault.of(error)).isEqualTo(Fault.READ_ONLY));
        }
    }

    /** A read may fail before its first statement has reached the database. */
    @Test
    default void aReadThatFailsAtOnceLeavesAConnectionThatCanWrite() throws Exception {
        Database reads = new Database(fixture().pool, fixture().database.dialect()).readOnly();
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> reads.autocommit(connection -> {
                        throw new IllegalStateException("before its first statement");
                    }))
                    .hasMessage("before its first statement");
            assertThat(fixture().database.autocommit(this::write)).isZero();
        }
    }

    private int write(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(
                    fixture().database.dialect().sql("UPDATE pawl_job SET priority = 1 WHERE id = -1"));
        }
    }

    /** Nothing is migrated. A database without tables is refused, such as a replica that is still being created. */
    @Test
    default void aDatabaseWithoutTablesIsRefused() {
        assertThatThrownBy(() -> {
                    JobQueue unused = JobQueue.builder(fixture().pool)
                            .tablePrefix("nothing_")
                            .readOnly(true)
                            .open();
                })
                .isInstanceOf(SchemaException.class);
    }

    /** A read-only queue on a replica shows what the primary has written. */
    @Test
    default void itFollowsThePrimary() {
        long id = fixture().enqueue();
        try (HikariDataSource pool = replica();
                JobQueue queue = reading(pool)) {
            assertThat(queue.isReadOnly()).isTrue();
            assertThat(state(queue, id)).isEqualTo(JobState.AVAILABLE);
            assertThat(fixture().admin.jobs().cancel(id)).isEqualTo(CancelResult.CANCELLED);
            assertThat(state(queue, id)).isEqualTo(JobState.CANCELLED);
        }
    }

    private static @Nullable JobState state(JobQueue queue, long id) {
        return queue.admin().jobs().find(id).map(Job::state).orElse(null);
    }
}
