package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Unused features of a queue cost nothing. */
interface UnusedContract extends Contract {
    List<String> FEATURES = List.of(
            "pawl_limit",
            "pawl_permit",
            "pawl_keyed",
            "pawl_key",
            "pawl_schedule",
            "pawl_tick",
            "pawl_unique",
            "pawl_slot",
            "pawl_sample",
            "pawl_leader",
            "pawl_assignment",
            "pawl_step",
            "pawl_result",
            "pawl_batch",
            "pawl_batch_count",
            "pawl_batch_pause",
            "pawl_batch_job",
            "pawl_node",
            "pawl_edge",
            "pawl_stack");

    /** One statement every five seconds tells a worker that all these features are unused. */
    @Test
    default void unusedFeaturesCostNoStatement() throws Exception {
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(300);
        try (JobQueue queue = JobQueue.builder(TamperedDataSource.of(fixture().pool, statements::add))
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            queue.enqueueAll(GREET, IntStream.range(0, 300).mapToObj(i -> "x").toList());
            Worker worker = Worker.on(queue)
                    .strategy(fixture().strategy)
                    .handle(GREET, (text, run) -> done.countDown())
                    .start();
            try (worker) {
                assertThat(done.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                await().atMost(Duration.ofSeconds(30))
                        .until(() ->
                                statements.stream().filter(this::readsSettings).count() >= 2);
            }
        }
        for (String feature : FEATURES) {
            String table = feature.replace("pawl_", fixture().prefix);
            assertThat(statements.stream().filter(sql -> !readsSettings(sql)))
                    .as("statements about %s", table)
                    .noneMatch(sql -> sql.matches("(?s).*\\b" + table + "\\b.*"));
            assertThat(fixture().longOf("SELECT COUNT(*) FROM " + feature))
                    .as(feature)
                    .isZero();
        }
        assertThat(statements.stream().filter(this::readsSettings).count()).isLessThan(10);
    }

    private boolean readsSettings(String sql) {
        return (sql.contains(fixture().prefix + "limit") && sql.contains(fixture().prefix + "schedule"))
                || readsLanes(sql);
    }

    /** The backlog limits of queues are read with the lanes, which are read anyway. */
    private boolean readsLanes(String sql) {
        return sql.contains("FROM " + fixture().prefix + "lane\n") && sql.contains("max_waiting");
    }
}
