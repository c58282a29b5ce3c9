package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.conformance.Specified;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Large amounts of data, beyond the size of one packet. */
@Specified
interface BulkContract extends Contract {
    /** Drivers that send text escape every second character. */
    private static JobRequest request(int characters) {
        return new JobRequest("greet", "'x".repeat(characters / 2), EnqueueOptions.DEFAULTS);
    }

    @Test
    default void aThousandLargeJobsAreEnqueued(Fixture fixture) throws Exception {
        fixture.assumeOneServer("each node has its own step between ids");
        List<JobRequest> large = Collections.nCopies(1000, request(20_000));
        assertThat(fixture.queue.enqueueAll(large).inserted()).isEqualTo(1000);
        try (Connection connection = fixture.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            List<Long> ids = fixture.queue.within(connection).enqueueEach(large).stream()
                    .map(EnqueueResult::jobId)
                    .toList();
            assertThat(ids)
                    .containsExactlyElementsOf(LongStream.range(0, 1000)
                            .mapToObj(i -> ids.get(0) + i)
                            .toList());
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(fixture.liveJobs()).isEqualTo(1000);
    }

    @Test
    default void aQueryGivesJobs() throws Exception {
        for (int i = 0; i < 3; i++) {
            long unused = fixture().enqueue(EnqueueOptions.DEFAULTS.tags("old").queue("from"));
        }
        String query =
                "SELECT kind, payload FROM pawl_job WHERE queue = ? ORDER BY id".replace("pawl_", fixture().prefix);
        EnqueueOptions options = EnqueueOptions.DEFAULTS.queue("to").tags("new");
        try (var connection = fixture().pool.getConnection()) {
            assertThatThrownBy(() -> fixture().queue.within(connection).enqueueFrom(options, query, "from"))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("autocommit");
            connection.setAutoCommit(false);
            BulkResult result = fixture().queue.within(connection).enqueueFrom(options, query, "from");
            assertThat(result.inserted()).isEqualTo(3);
            connection.commit();
            assertThatThrownBy(() -> fixture().queue.within(connection).enqueueFrom(options, "SELECT 1"))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("one column");
            assertThatThrownBy(() -> fixture().queue.within(connection).enqueueFrom(options, "SELECT 'a', '1', 5"))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("3 columns");
            assertThatThrownBy(() -> fixture().queue.within(connection).enqueueFrom(options, "SELECT 'a', NULL"))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("no payload");
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.tag("new")))
                .hasSize(3)
                .allMatch(job -> job.queue().equals("to") && job.payload().equals("\"hello\""));
    }

    @Test
    default void theQueueWritesEachAndFromAllOrNone() throws Exception {
        JobQueue queue = fixture().queue;
        assertThat(queue.enqueueEach(List.of())).isEmpty();
        List<EnqueueResult> each = queue.enqueueEach(List.of(request(2), request(2)));
        assertThat(each).hasSize(2).allMatch(EnqueueResult.Inserted.class::isInstance);
        EnqueueOptions options = EnqueueOptions.DEFAULTS.queue("to");
        String query = "SELECT kind, payload FROM pawl_job WHERE queue = 'from' UNION ALL SELECT 'greet', "
                .replace("pawl_", fixture().prefix);
        long unused =
                fixture().enqueue(EnqueueOptions.DEFAULTS.tags("has a row").queue("from"));
        assertThatThrownBy(() -> queue.enqueueFrom(options, query + "NULL"))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("no payload");
        assertThat(fixture().liveJobs()).isEqualTo(3);
        assertThat(queue.enqueueFrom(options, query + "?", "\"x\"").inserted()).isEqualTo(2);
        assertThat(fixture().admin.jobs().list(JobFilter.ALL.queue("to"))).hasSize(2);
    }

    /** Regression: the error was taken for a lost connection and retried forever. */
    @Test
    default void anEditAndAScheduleThatTheServerDoesNotTakeAreRefusedForGood(Fixture fixture) throws Exception {
        assumeTrue(
                fixture.product == Product.MARIADB, "the only one here whose server takes no more than 16 MB at once");
        String large = request(14_000_000).payload();
        try (JobQueue queue = JobQueue.builder(fixture.dataSource())
                .tablePrefix(fixture.prefix)
                .maxPayloadBytes(16_000_000)
                .open()) {
            long id = queue.enqueue(GREET, "small", EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)))
                    .jobId();
            List<ThrowingCallable> calls = List.of(
                    () -> queue.admin().jobs().edit(id, JobEdit.NOTHING.payload(large), "me"),
                    () -> queue.schedules()
                            .add(
                                    "large",
                                    new JobRequest("greet", large, EnqueueOptions.DEFAULTS),
                                    Recurrence.cron("0 3 * * *"),
                                    Missed.SKIP,
                                    Overlap.SKIP));
            assertThat(calls)
                    .allSatisfy(call -> assertThatThrownBy(call)
                            .isInstanceOfSatisfying(
                                    DatabaseException.class,
                                    refused -> assertThat(refused.isTransient()).isFalse())
                            .hasMessageContaining("max_allowed_packet"));
            assertThat(queue.admin().jobs().find(id))
                    .hasValueSatisfying(job -> assertThat(job.payload()).contains("small"));
        }
    }

    @Test
    default void aJobThatTheServerDoesNotTakeIsRefusedAndSaysWhy(Fixture fixture) throws Exception {
        try (JobQueue queue = JobQueue.builder(fixture.dataSource())
                .tablePrefix(fixture.prefix)
                .maxPayloadBytes(16_000_000)
                .open()) {
            JobRequest large = request(14_000_000);
            if (fixture.product == Product.MARIADB) {
                assertThatThrownBy(() -> queue.enqueue(large))
                        .isInstanceOf(InvalidJobException.class)
                        .hasMessageContaining("max_allowed_packet");
                assertThat(fixture.liveJobs()).isZero();
            } else {
                queue.enqueue(large);
                assertThat(fixture.claimOne().job().payload()).hasSize(14_000_000);
            }
            assertThat(queue.enqueue(GREET, "small")).isInstanceOf(EnqueueResult.Inserted.class);
        }
    }
}
