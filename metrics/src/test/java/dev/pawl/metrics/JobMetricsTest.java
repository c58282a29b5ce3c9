package dev.pawl.metrics;

import static dev.pawl.metrics.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.limit.Subject;
import dev.pawl.metrics.Names.Measure;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobMetricsTest {
    private static final JobType<String> WORK = JobType.of("test.work", String.class);
    private static final Duration SOON = Patient.LONG;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JobMetrics metrics = new JobMetrics(new MicrometerMeters(registry));

    /** {@return the value of a series as Prometheus reads it; NaN if there is none} */
    private double scraped(Measure measure, String suffix, String... labels) {
        String name = measure.prometheus() + suffix;
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .reduce(Double::sum)
                .orElse(Double.NaN);
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.metrics.Databases#all")
    void countsMatchTheHistory(Supplier<TestServer> server) {
        try (TestDatabase database = server.get().createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = metrics.measure(JobQueue.builder(pool)).open()) {
            for (int i = 0; i < 120; i++) {
                String payload = i % 12 == 0 ? "fails" : i % 12 == 1 ? "unwanted" : i % 12 == 2 ? "again" : "fine";
                queue.enqueue(
                        WORK,
                        payload,
                        EnqueueOptions.DEFAULTS
                                .queue(i % 2 == 0 ? "even" : "odd")
                                .maxAttempts(2));
            }
            Worker worker = metrics.measure(Worker.on(queue))
                    .queues("even", "odd")
                    .concurrency(4)
                    .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                    .handle(WORK, Handlers.completing((payload, run) -> switch (payload) {
                        case "fails" -> throw new IllegalStateException("never works");
                        case "unwanted" -> Outcome.cancel("unwanted");
                        case "again" ->
                            run.attempt() == 1 ? Outcome.retryAfter(Duration.ZERO, "not yet") : Outcome.completed();
                        default -> Outcome.completed();
                    }))
                    .start();
            try (worker) {
                metrics.measure(worker);
                await().atMost(SOON)
                        .until(() -> queue.admin().queues().finished(Admin.UNLIMITED).stream()
                                        .mapToLong(each -> each.completed() + each.cancelled() + each.discarded())
                                        .sum()
                                == 120);
                assertThat(scraped(Measure.CONCURRENCY, "")).isEqualTo(4);
                assertThat(scraped(Measure.CLAIMED, "")).isGreaterThanOrEqualTo(140);
            }
            Map<String, FinishedJobs> finished = new HashMap<>();
            queue.admin().queues().finished(Admin.UNLIMITED).forEach(each -> finished.put(each.queue(), each));
            for (String name : List.of("even", "odd")) {
                FinishedJobs history = Objects.requireNonNull(finished.get(name));
                String label = "queue=\"" + name + "\"";
                String kind = "kind=\"test.work\"";
                assertThat(scraped(Measure.ENQUEUED, "", label, kind)).isEqualTo(60);
                assertThat(scraped(Measure.COMPLETED, "", label, kind)).isEqualTo((double) history.completed());
                assertThat(scraped(Measure.RUN, "_count", label, "outcome=\"completed\""))
                        .isEqualTo((double) history.completed());
            }
            assertThat(scraped(Measure.COMPLETED, "")).isEqualTo(100);
            assertThat(scraped(Measure.CANCELLED, ""))
                    .isEqualTo((double) finished.values().stream()
                            .mapToLong(FinishedJobs::cancelled)
                            .sum())
                    .isEqualTo(10);
            assertThat(scraped(Measure.DISCARDED, ""))
                    .isEqualTo((double) finished.values().stream()
                            .mapToLong(FinishedJobs::discarded)
                            .sum())
                    .isEqualTo(10);
            assertThat(scraped(Measure.RETRIED, "")).isEqualTo(20);
            assertThat(scraped(Measure.STARTED, "")).isEqualTo(140);
            assertThat(scraped(Measure.WAIT, "_count")).isEqualTo(140);
            assertThat(scraped(Measure.RUN, "_count")).isEqualTo(140);
            assertThat(scraped(Measure.RUN, "_count", "outcome=\"failed\"")).isEqualTo(30);
            assertThat(scraped(Measure.RUN, "_bucket", "le=\"3600.0\"")).isEqualTo(140);
            assertThat(registry.scrape())
                    .as("no label holds what is without bound")
                    .doesNotContain("job_id");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pawl.metrics.Databases#all")
    void queuesAreSampledIndependentlyOfScrapes(Supplier<TestServer> server) throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (TestDatabase database = server.get().createDatabase()) {
            try (HikariDataSource pool = database.newDataSource(6);
                    JobQueue queue = JobQueue.open(pool)) {
                queue.enqueue(WORK, "runs");
                Worker worker = metrics.measure(Worker.on(queue))
                        .concurrency(1)
                        .handle(WORK, (payload, run) -> goOn.await(300, TimeUnit.SECONDS))
                        .start();
                try (worker) {
                    metrics.measure(worker);
                    await().atMost(SOON).until(() -> worker.stats().running() == 1);
                    EnqueueOptions elsewhere = EnqueueOptions.DEFAULTS.queue("other");
                    queue.enqueue(WORK, "waits", elsewhere);
                    queue.enqueue(WORK, "waits", elsewhere);
                    queue.enqueue(WORK, "later", elsewhere.delay(Duration.ofHours(1)));
                    queue.enqueue(WORK, "key", elsewhere.key("ada"));
                    queue.enqueue(WORK, "key", elsewhere.key("ada"));
                    Workflow unused = queue.workflow("w")
                            .job("first", WORK, "a", elsewhere)
                            .then("second", WORK, "b", elsewhere)
                            .start();
                    Batch batch = queue.batch("b").canary(1).open();
                    queue.enqueue(WORK, "canary", batch.with(elsewhere));
                    queue.enqueue(WORK, "held", batch.with(elsewhere));
                    queue.admin().queues().pause("other");
                    queue.limits().pause(Subject.kind("test.other"), Duration.ofHours(1), "down");
                    metrics.sample(queue, Duration.ofSeconds(1));
                    await().atMost(SOON).until(() -> scraped(Measure.WORKERS, "") == 1);
                    assertThat(scraped(Measure.DEPTH, "", "default", "running")).isEqualTo(1);
                    assertThat(scraped(Measure.DEPTH, "", "other", "available")).isEqualTo(4);
                    assertThat(scraped(Measure.DEPTH, "", "other", "scheduled")).isEqualTo(1);
                    // No worker of this queue has released the first job of the key.
                    assertThat(scraped(Measure.DEPTH, "", "other", "blocked")).isEqualTo(2);
                    assertThat(scraped(Measure.DEPTH, "", "other", "pending")).isEqualTo(1);
                    assertThat(scraped(Measure.DEPTH, "", "other", "paused")).isEqualTo(1);
                    assertThat(scraped(Measure.PAUSED, "", "other")).isEqualTo(1);
                    assertThat(scraped(Measure.PAUSED, "", "default")).isEqualTo(0);
                    assertThat(scraped(Measure.KIND_OUTAGE, "", "test.other")).isEqualTo(1);
                    assertThat(scraped(Measure.RUNNING, "")).isEqualTo(1);
                    double age = scraped(Measure.OLDEST, "", "other");
                    await().atMost(SOON).until(() -> scraped(Measure.OLDEST, "", "other") > age);
                    assertThat(scraped(Measure.SAMPLE_AGE, "")).isBetween(0.0, 60.0);
                    goOn.countDown();
                }
                assertThat(scraped(Measure.RUNNING, "")).isEqualTo(0);
                metrics.close();
            }
            assertThat(scraped(Measure.DEPTH, "", "other", "available"))
                    .as("what was known last is not shown for ever")
                    .isNaN();
            assertThat(scraped(Measure.SAMPLE_AGE, "")).isNaN();
        }
    }

    @Test
    @SuppressWarnings("try") // closes the pool to simulate an unavailable database
    void outagesRemoveOutdatedValues() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool);
                metrics) {
            queue.enqueue(WORK, "waits");
            metrics.sample(queue, Duration.ofSeconds(1));
            await().atMost(SOON).until(() -> scraped(Measure.DEPTH, "", "default", "available") == 1);
            pool.close();
            await().atMost(SOON).until(() -> Double.isNaN(scraped(Measure.DEPTH, "", "default", "available")));
            assertThat(scraped(Measure.SAMPLE_AGE, "")).isPositive();
        }
    }

    @Test
    void labelValuesAreBounded() {
        JobMetrics few = new JobMetrics(new MicrometerMeters(registry), 2);
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = few.measure(JobQueue.builder(pool)).open()) {
            for (int i = 0; i < 5; i++) {
                queue.enqueue(WORK, "some", EnqueueOptions.DEFAULTS.queue("q" + i));
            }
            assertThat(scraped(Measure.ENQUEUED, "", "queue=\"q0\"")).isEqualTo(1);
            assertThat(scraped(Measure.ENQUEUED, "", "queue=\"q1\"")).isEqualTo(1);
            assertThat(scraped(Measure.ENQUEUED, "", "queue=\"other\"")).isEqualTo(3);
        }
        assertThatThrownBy(() -> new JobMetrics(new MicrometerMeters(registry), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 10000");
    }

    @Test
    void oneSlowSampleDoesNotSilenceTheMetrics() {
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(Sampler.rest(15 * second, second / 10, false)).isEqualTo(15 * second);
        assertThat(Sampler.rest(15 * second, 2 * second, false)).isEqualTo(38 * second);
        assertThat(Sampler.rest(15 * second, 600 * second, false)).isEqualTo(300 * second);
        assertThat(Sampler.rest(15 * second, 30 * second, true)).isEqualTo(15 * second);
        assertThat(Sampler.rest(3600 * second, 600 * second, false)).isEqualTo(3600 * second);
    }

    @Test
    void suspendedRunsAreNotFailures() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = JobQueue.open(pool)) {
            queue.enqueue(WORK, "sleeps");
            try (Worker worker = metrics.measure(Worker.on(queue))
                    .handle(WORK, (payload, run) -> run.steps().sleep("a while", Duration.ofHours(1)))
                    .start()) {
                await().atMost(SOON).until(() -> scraped(Measure.RUN, "_count", "outcome=\"snoozed\"") == 1);
                assertThat(scraped(Measure.RUN, "_count", "outcome=\"failed\"")).isNaN();
                assertThat(worker.stats().failed()).isZero();
            }
        }
    }

    @Test
    void failedMeasurementsDoNotAffectRuns() {
        JobMetrics broken = new JobMetrics(new BrokenMeters());
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(3);
                JobQueue queue = broken.measure(JobQueue.builder(pool)).open()) {
            queue.enqueue(WORK, "some");
            try (Worker worker = broken.measure(Worker.on(queue))
                    .handle(WORK, (payload, run) -> {})
                    .start()) {
                assertThat(broken.measure(worker)).isSameAs(worker);
                broken.sample(queue, Duration.ofSeconds(1));
                await().atMost(SOON).until(() -> worker.stats().completed() == 1);
                assertThat(worker.stats().failed()).isZero();
            }
            broken.close();
        }
    }

    @Test
    void registriesNeedNotBePrometheus() {
        SimpleMeterRegistry simple = new SimpleMeterRegistry();
        new MicrometerMeters(simple).count(Measure.STALLED, List.of("default", "test.work"));
        assertThat(simple.get("pawl.job.stalled")
                        .tag("queue", "default")
                        .counter()
                        .count())
                .isEqualTo(1);
    }
}
