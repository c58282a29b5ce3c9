package dev.pawl.conformance.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.SchemaException;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Delay;
import dev.pawl.shard.Fleet;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two databases as one queue. */
abstract class ShardContract extends ShardFixture {
    @Test
    void idsAreUniqueAndTellTheShard() {
        List<Long> ids = new ArrayList<>();
        for (String name : names(50)) {
            ids.add(queue.enqueue(GREET, name).jobId()); // in a lane
            ids.add(queue.enqueue(GREET, name, PLAIN.delay(Duration.ofHours(1))).jobId()); // in a row
            ids.add(queue.enqueue(GREET, name, PLAIN.key(name)).jobId());
        }
        assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
        assertThat(live(a)).isGreaterThan(50);
        assertThat(live(b)).isGreaterThan(50);
        assertThat(ids).allSatisfy(id -> {
            assertThat(id).isLessThan(1L << 53);
            assertThat(queue.shardOf(id).queue().admin().jobs().find(id)).isPresent();
            assertThat(queue.find(id)).isPresent();
        });
        assertThat(ids.stream().filter(id -> queue.shardOf(id) == b)).allMatch(id -> id > 1L << 43);
        assertThatThrownBy(() -> queue.find(5L << 43))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shard 5");
    }

    @Test
    void databasesInAnotherOrderAreRefused() {
        queue.enqueue(GREET, "one", PLAIN.key(keyOf(a)));
        queue.enqueue(GREET, "two", PLAIN.key(keyOf(b)));
        ShardedQueue swapped = newQueue("b", second, "a", first);
        assertThatThrownBy(() -> swapped.shard("b").queue())
                .isInstanceOf(SchemaException.class)
                .hasMessageStartingWith("shard 'b': ")
                .hasMessageContaining("ids of shard 1");
        assertThatThrownBy(() -> swapped.shard("a").queue()).isInstanceOf(SchemaException.class);
        ShardedQueue same = newQueue("a", first, "b", second);
        assertThat(same.enqueue(GREET, "three", PLAIN.key(keyOf(b))).jobId()).isGreaterThan(1L << 43);
    }

    @Test
    void aJobsShardIsKnownBeforeItIsEnqueued() {
        for (String name : names(20)) {
            for (JobRequest job : List.of(
                    new JobRequest("greet", "\"x\"", PLAIN.key(name)),
                    new JobRequest("greet", "\"x\"", PLAIN.uniqueKey(name)),
                    new JobRequest("greet", "\"" + name + "\"", PLAIN.uniqueByPayload()))) {
                Shard before = queue.shardOf(job).orElseThrow();
                assertThat(queue.shardOf(queue.enqueue(job).jobId())).isEqualTo(before);
            }
        }
        assertThat(queue.shardOf(new JobRequest("greet", "\"x\"", PLAIN))).isEmpty();
    }

    /** A database that fails is reported as a finding, and the other shards are still diagnosed. */
    @Test
    void allShardsAreDiagnosed() {
        assertThat(queue.diagnose().keySet()).containsExactly("a", "b");
        assertThat(queue.diagnose().values())
                .allSatisfy(findings ->
                        assertThat(findings).anyMatch(each -> each.topic().equals("ids")));
        first.down(true);
        assertThat(queue.diagnose().get("a"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.message()).startsWith("shard 'a': "));
        assertThat(queue.diagnose().get("b")).hasSizeGreaterThan(1);
        first.down(false);
        assertThat(queue.diagnose().get("a")).hasSizeGreaterThan(1);
    }

    @Test
    void jobsOfAKeyRunInOrderOnOneShard() throws Exception {
        List<JobRequest> jobs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            for (int key = 0; key < 12; key++) {
                jobs.add(new JobRequest("greet", "\"" + key + " " + i + "\"", PLAIN.key("customer-" + key)));
            }
        }
        assertThat(queue.enqueueAll(jobs)).isEqualTo(new BulkResult(120, 0, 0));
        Fleet fleet = startQuick(8);
        assertThat(fleet.awaitIdle(LONG)).isTrue();
        for (int key = 0; key < 12; key++) {
            String prefix = key + " ";
            List<String> ofKey = ran(queue.shardOf("customer-" + key)).stream()
                    .filter(name -> name.startsWith(prefix))
                    .toList();
            assertThat(ofKey)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 10).mapToObj(i -> prefix + i).toList());
        }
        assertThat(ran(a).size() + ran(b).size()).isEqualTo(120);
        assertThat(ran(a)).isNotEmpty();
        assertThat(ran(b)).isNotEmpty();
    }

    @Test
    void aUniqueKeyIsUniqueAcrossAllShards() {
        for (String name : names(30)) {
            assertThat(queue.enqueue(GREET, name, PLAIN.uniqueKey(name))).isInstanceOf(EnqueueResult.Inserted.class);
        }
        for (String name : names(30)) {
            assertThat(queue.enqueue(new JobRequest("greet", "\"again\"", PLAIN.uniqueKey(name))))
                    .isInstanceOf(EnqueueResult.Duplicate.class);
        }
        assertThat(queue.enqueueAll(GREET, names(40), PLAIN::uniqueKey)).isEqualTo(new BulkResult(10, 30, 0));
        for (int i = 0; i < 4; i++) {
            EnqueueResult result = queue.enqueue(GREET, "the same", PLAIN.uniqueByPayload());
            assertThat(result instanceof EnqueueResult.Inserted).isEqualTo(i == 0);
            assertThat(queue.enqueue(new JobRequest("greet", "\"the same\"", PLAIN.uniqueByPayload())))
                    .isInstanceOf(EnqueueResult.Duplicate.class);
        }
    }

    @Test
    void resultsAreInTheOrderOfTheJobs() {
        List<JobRequest> jobs = names(20).stream()
                .map(name -> new JobRequest("greet", "\"" + name + "\"", PLAIN.key(name)))
                .toList();
        List<EnqueueResult> results = queue.enqueueEach(jobs);
        for (int i = 0; i < 20; i++) {
            assertThat(queue.find(results.get(i).jobId()).map(Job::payload)).hasValue("\"name " + i + "\"");
        }
        assertThatThrownBy(() -> queue.enqueueFrom(PLAIN, "SELECT 1, 2"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aTransactionalEnqueueStaysOnTheShardOfItsConnection() throws SQLException {
        b.queue();
        try (Connection connection = second.getConnection()) {
            connection.setAutoCommit(false);
            b.within(connection).enqueue(GREET, "lost", PLAIN.key(keyOf(a)));
            connection.rollback();
            assertThat(live(b)).isZero();
            long id = b.within(connection)
                    .enqueue(GREET, "kept", PLAIN.key(keyOf(a)))
                    .jobId();
            connection.commit();
            assertThat(queue.shardOf(id)).isSameAs(b);
            assertThat(queue.find(id)).isPresent();
        }
        assertThat(live(b)).isEqualTo(1);
        assertThat(live(a)).isZero();
    }

    @Test
    void aLoneBusyShardGetsTheWholeConcurrency() {
        Fleet fleet = startHeld(6);
        queue.shard("b").queue().enqueueAll(GREET, names(40));
        await().atMost(LONG).until(() -> ran(b).size() == 6);
        assertThat(fleet.running()).isEqualTo(6);
        mayEnd.release(20);
        await().atMost(LONG).until(() -> ran(b).size() == 26);
        assertThat(most).hasValue(6);
    }

    /** Other tests check the exact split. Here a server that answers late may get a smaller part, but must not be starved. */
    @Test
    void busyShardsShareTheConcurrency() throws Exception {
        startHeld(6);
        b.queue().enqueueAll(GREET, names(200));
        await().atMost(LONG).until(() -> ran(b).size() == 6);
        a.queue().enqueueAll(GREET, names(200));
        for (int finished = 1; ran(a).size() < 12 || ran(b).size() < 12; finished++) {
            mayEnd.release();
            int begun = 6 + finished;
            await().atMost(LONG).until(() -> ran(a).size() + ran(b).size() == begun);
        }
        assertThat(ran(a)).hasSizeLessThan(200);
        assertThat(ran(b)).hasSizeLessThan(200);
        assertThat(most).hasValue(6);
    }

    @Test
    void shardsTakeTurnsIfThereAreMoreThanHandlersAtOnce() throws Exception {
        Fleet fleet = startQuick(1);
        a.queue().enqueueAll(GREET, names(100));
        b.queue().enqueueAll(GREET, names(100));
        assertThat(fleet.awaitIdle(LONG)).isTrue();
        assertThat(ran(a)).hasSize(100);
        assertThat(ran(b)).hasSize(100);
        assertThat(most).hasValue(1);
    }

    @Test
    void aDatabaseThatCannotBeReachedDelaysOnlyItsOwnJobs() throws Exception {
        Fleet fleet = startQuick(4);
        queue.enqueueAll(GREET, names(20));
        assertThat(fleet.awaitIdle(LONG)).isTrue();
        first.down(true);
        int before = ran(b).size();
        assertThatThrownBy(() -> queue.enqueue(GREET, "lost", PLAIN.key(keyOf(a))))
                .isInstanceOf(DatabaseException.class)
                .hasMessageStartingWith("shard 'a': ");
        assertThatThrownBy(() -> queue.queues(10)).hasMessageStartingWith("shard 'a': ");
        for (String name : names(50)) {
            queue.enqueue(GREET, name, PLAIN.key(keyOf(b)));
            queue.enqueue(GREET, name); // avoids the database that has just failed
        }
        await().atMost(LONG).until(() -> ran(b).size() == before + 100);
        first.down(false);
        int ofA = ran(a).size();
        queue.enqueue(GREET, "again", PLAIN.key(keyOf(a)));
        await().atMost(LONG).until(() -> ran(a).size() == ofA + 1);
    }

    /** When the database of the first shard fails, this shard is running all the handlers that the fleet may run. */
    @Test
    void theConcurrencyOfAnUnreachableShardGoesToTheOthers() throws Exception {
        startHeld(4);
        a.queue().enqueueAll(GREET, names(40));
        await().atMost(LONG).until(() -> ran(a).size() == 4);
        first.down(true);
        b.queue().enqueueAll(GREET, names(8));
        mayEnd.release(4);
        await().atMost(LONG).until(() -> ran(b).size() == 4);
        mayEnd.release(1_000);
        await().atMost(LONG).until(() -> ran(b).size() == 8);
        first.down(false);
        await().atMost(LONG).until(() -> new HashSet<>(ran(a)).size() == 40);
        await().atMost(LONG)
                .until(() -> a.queue().admin().queues().finished(Admin.UNLIMITED).stream()
                                .mapToLong(finished -> finished.completed())
                                .sum()
                        == 40);
    }

    @Test
    void aDatabaseThatIsUnreachableAtTheStartIsServedLater() throws Exception {
        second.down(true);
        Fleet fleet = startQuick(4);
        queue.enqueue(GREET, "one", PLAIN.key(keyOf(a)));
        await().atMost(LONG).until(() -> ran(a).size() == 1);
        assertThat(fleet.worker(b)).isEmpty();
        assertThat(b.isOpen()).isFalse();
        second.down(false);
        await().atMost(LONG).until(() -> fleet.worker(b).isPresent());
        queue.enqueue(GREET, "two", PLAIN.key(keyOf(b)));
        await().atMost(LONG).until(() -> ran(b).size() == 1);
    }

    @Test
    void aLimitIsNotExceededByAllShardsTogether() throws Exception {
        queue.setLimit(Limit.kind("greet").atOnce(3));
        queue.enqueueAll(GREET, names(60));
        Fleet fleet = start(
                10,
                (shard, worker) -> worker.pollInterval(Duration.ofMillis(100)).handle(GREET, (name, run) -> {
                    begin(shard, name);
                    try {
                        Delay.work(20);
                    } finally {
                        running.decrementAndGet();
                    }
                }));
        assertThat(fleet.awaitIdle(LONG)).isTrue();
        assertThat(ran(a).size() + ran(b).size()).isEqualTo(60);
        assertThat(most).hasValueLessThanOrEqualTo(3);
        assertThat(queue.removeLimit(Limit.kind("greet").subject())).isTrue();
        assertThat(queue.removeLimit(Limit.kind("greet").subject())).isFalse();
    }

    @Test
    void listingsCoverAllShards() {
        long ofA =
                queue.enqueue(GREET, "one", PLAIN.queue("mail").key(keyOf(a))).jobId();
        long ofB =
                queue.enqueue(GREET, "two", PLAIN.queue("mail").key(keyOf(b))).jobId();
        long late = queue.enqueue(GREET, "three", PLAIN.queue("mail").delay(Duration.ofHours(1)))
                .jobId();
        QueueStats mail = queue.queues(Admin.UNLIMITED).stream()
                .filter(stats -> stats.name().equals("mail"))
                .findFirst()
                .orElseThrow();
        assertThat(mail.available() + mail.delayed()).isEqualTo(3);
        assertThat(queue.list(JobFilter.ALL).stream().map(Job::id)).containsExactlyInAnyOrder(ofA, ofB, late);
        assertThat(queue.list(JobFilter.ALL.key(keyOf(b))).stream().map(Job::id))
                .containsExactly(ofB);
        assertThat(queue.list(JobFilter.ALL.limit(2))).hasSize(2);
        assertThatThrownBy(() -> queue.list(JobFilter.ALL.before(5))).isInstanceOf(IllegalArgumentException.class);
        assertThat(queue.cancel(late)).isEqualTo(CancelResult.CANCELLED);
        assertThat(queue.handle(late, String.class).status()).hasValue(JobState.CANCELLED);
    }

    @Test
    void aFleetNeedsHandlersAndNoWeights() {
        assertThatThrownBy(() -> queue.start(4, (shard, worker) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one handler");
        assertThatThrownBy(() -> queue.start(
                        4,
                        (shard, worker) -> worker.handle(GREET, (name, run) -> {}, HandlerOptions.DEFAULTS.weight(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weight");
        assertThatThrownBy(() -> ShardedQueue.of()).isInstanceOf(IllegalArgumentException.class);
        Set<String> names = Set.of("a", "b");
        assertThat(queue.shards().stream().map(Shard::name)).containsExactlyInAnyOrderElementsOf(names);
    }
}
