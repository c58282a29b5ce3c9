package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.spring.OtherTransactions;
import dev.pawl.spring.WorkerLifecycle;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.unit.DataSize;

/** Every property is bound, and documented for editors. */
class PropertiesTest {
    private static final Map<String, Object> ALL = Map.ofEntries(
            Map.entry("pawl.enabled", "false"),
            Map.entry("pawl.datasource", "jobs"),
            Map.entry("pawl.transaction-manager", "jobTransactions"),
            Map.entry("pawl.other-transactions", "warn"),
            Map.entry("pawl.migrate", "false"),
            Map.entry("pawl.table-prefix", "shop_"),
            Map.entry("pawl.schema", "jobs"),
            Map.entry("pawl.notifications", "false"),
            Map.entry("pawl.notify-in-transactions", "true"),
            Map.entry("pawl.max-payload", "64KB"),
            Map.entry("pawl.max-waiting.mail", "5"),
            Map.entry("pawl.retention.completed", "2d"),
            Map.entry("pawl.retention.cancelled", "3d"),
            Map.entry("pawl.retention.discarded", "4d"),
            Map.entry("pawl.worker.enabled", "false"),
            Map.entry("pawl.dashboard.enabled", "true"),
            Map.entry("pawl.dashboard.path", "/jobs"),
            Map.entry("pawl.dashboard.viewer-role", "LOOK"),
            Map.entry("pawl.dashboard.operator-role", "ADMIN"),
            Map.entry("pawl.dashboard.on-this-machine", "look"),
            Map.entry("pawl.dashboard.read-only", "true"),
            Map.entry("pawl.dashboard.hosts", "a.example,b.example"),
            Map.entry("pawl.dashboard.secret", "0123456789abcdef"),
            Map.entry("pawl.worker.max-concurrency", "9"),
            Map.entry("pawl.worker.max-heap-use", "0.8"),
            Map.entry("pawl.worker.suspend-when-idle", "true"),
            Map.entry("pawl.worker.max-suspend", "5m"),
            Map.entry("pawl.worker.only-declared-schedules", "true"),
            Map.entry("pawl.worker.strategy", "rows"),
            Map.entry("pawl.worker.queues", "a,b"),
            Map.entry("pawl.worker.queues-like", "mail-*"),
            Map.entry("pawl.worker.weights.a", "3"),
            Map.entry("pawl.worker.concurrency", "7"),
            Map.entry("pawl.worker.shutdown-timeout", "12s"),
            Map.entry("pawl.worker.lease", "30s"),
            Map.entry("pawl.worker.poll-interval", "2s"),
            Map.entry("pawl.worker.batch", "10"),
            Map.entry("pawl.worker.buffer", "20"),
            Map.entry("pawl.worker.buffer-size", "1MB"),
            Map.entry("pawl.worker.max-result", "32KB"),
            Map.entry("pawl.worker.virtual-threads", "false"),
            Map.entry("pawl.worker.name", "one"),
            Map.entry("pawl.worker.retry.first", "1s"),
            Map.entry("pawl.worker.retry.longest", "9s"));

    private static PawlProperties bound(Map<String, Object> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("pawl", PawlProperties.class);
    }

    @Test
    void everyPropertyIsBound() {
        assertThat(bound(ALL))
                .isEqualTo(new PawlProperties(
                        false,
                        "jobs",
                        "jobTransactions",
                        OtherTransactions.WARN,
                        false,
                        "shop_",
                        "jobs",
                        false,
                        true,
                        DataSize.ofKilobytes(64),
                        Map.of("mail", 5),
                        new PawlProperties.Retention(Duration.ofDays(2), Duration.ofDays(3), Duration.ofDays(4)),
                        new WorkerProperties(
                                false,
                                List.of("a", "b"),
                                List.of("mail-*"),
                                Map.of("a", 3),
                                7,
                                9,
                                0.8,
                                true,
                                Duration.ofMinutes(5),
                                true,
                                "rows",
                                Duration.ofSeconds(12),
                                Duration.ofSeconds(30),
                                Duration.ofSeconds(2),
                                10,
                                20,
                                DataSize.ofMegabytes(1),
                                DataSize.ofKilobytes(32),
                                false,
                                "one",
                                new WorkerProperties.Retry(Duration.ofSeconds(1), Duration.ofSeconds(9))),
                        new DashboardProperties(
                                true,
                                "/jobs",
                                "LOOK",
                                "ADMIN",
                                DashboardProperties.OnThisMachine.LOOK,
                                true,
                                List.of("a.example", "b.example"),
                                "0123456789abcdef")));
        assertThat(leaves("pawl", PawlProperties.class)).hasSize(ALL.size());
    }

    /** The names of all properties. The test sets every property if it sets as many as there are names. */
    private static Set<String> leaves(String prefix, Class<?> type) {
        Set<String> leaves = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                leaves.addAll(leaves(name, component.getType()));
            } else {
                leaves.add(name);
            }
        }
        return leaves;
    }

    @Test
    void missingPropertiesUseTheLibrarysDefaults() {
        PawlProperties defaults = bound(new HashMap<>());
        assertThat(defaults.enabled() && defaults.migrate() && defaults.worker().enabled())
                .isTrue();
        assertThat(defaults.otherTransactions()).isEqualTo(OtherTransactions.REFUSE);
        assertThat(defaults.worker().queues()).isEmpty(); // the library's default
        assertThat(defaults.maxPayload()).isEqualTo(DataSize.ofMegabytes(1));
        assertThat(defaults.worker().concurrency()).isEqualTo(10);
        assertThat(defaults.retention())
                .as("the stored setting")
                .isEqualTo(new PawlProperties.Retention(null, null, null));
    }

    @Test
    void allPropertiesHaveMetadata() throws Exception {
        StringBuilder json = new StringBuilder();
        for (URL file : Collections.list(
                getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream in = file.openStream()) {
                json.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        for (String leaf : leaves("pawl", PawlProperties.class)) {
            assertThat(json.toString()).containsPattern(Pattern.quote("\"name\": \"" + leaf + "\""));
        }
        assertThat(json).contains("Whether this application runs jobs.");
    }

    @Test
    void theGraceTimeIsShorterThanSpringsTimeout() {
        MockEnvironment environment = new MockEnvironment();
        assertThat(Grace.of(null, environment)).isEqualTo(Duration.ofSeconds(25));
        assertThat(Grace.of(Duration.ofSeconds(90), environment)).isEqualTo(Duration.ofSeconds(90));
        environment.setProperty("spring.lifecycle.timeout-per-shutdown-phase", "6s");
        assertThat(Grace.of(null, environment)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void valuesOutOfRangeFailTheStart() {
        assertThatThrownBy(() -> App.start(FirstProgramTest.Program.class, "pawl.worker.concurrency=0"))
                .hasStackTraceContaining("concurrency 0 is not valid: use 1 to 10000");
    }

    /** For each option of a builder, the property or the bean that sets it. */
    private static final Map<String, String> OF_QUEUE = Map.ofEntries(
            Map.entry("tablePrefix", "table-prefix"),
            Map.entry("schema", "schema"),
            Map.entry("migrate", "migrate"),
            Map.entry("retention", "retention.completed"),
            Map.entry("notifications", "notifications"),
            Map.entry("notifyInTransactions", "notify-in-transactions"),
            Map.entry("maxPayloadBytes", "max-payload"),
            Map.entry("maxWaiting", "max-waiting"),
            Map.entry("codec", "a bean"),
            Map.entry("interceptEnqueue", "a bean"),
            Map.entry("transactions", "a bean"),
            Map.entry("shard", "a JobQueue bean of one's own"),
            Map.entry("readOnly", "a JobQueue bean of one's own"));

    private static final Map<String, String> OF_WORKER = Map.ofEntries(
            Map.entry("queues", "worker.queues"),
            Map.entry("queuesLike", "worker.queues-like"),
            Map.entry("weightedQueues", "worker.weights"),
            Map.entry("concurrency", "worker.concurrency"),
            Map.entry("maxConcurrency", "worker.max-concurrency"),
            Map.entry("onlyDeclaredSchedules", "worker.only-declared-schedules"),
            Map.entry("prefetch", "worker.buffer"),
            Map.entry("lease", "worker.lease"),
            Map.entry("pollInterval", "worker.poll-interval"),
            Map.entry("suspendWhenIdle", "worker.suspend-when-idle"),
            Map.entry("grace", "worker.shutdown-timeout"),
            Map.entry("retryPolicy", "worker.retry.first"),
            Map.entry("strategy", "worker.strategy"),
            Map.entry("virtualThreads", "worker.virtual-threads"),
            Map.entry("name", "worker.name"),
            Map.entry("maxResultBytes", "worker.max-result"),
            Map.entry("handle", "a bean"),
            Map.entry("interceptChunk", "a WorkerCustomizer"),
            Map.entry("schedule", "a bean"),
            Map.entry("intercept", "a bean"),
            Map.entry("extend", "a WorkerCustomizer"),
            Map.entry("listener", "a WorkerCustomizer"),
            Map.entry("alias", "a WorkerCustomizer"));

    /** Ensures that new builder options are listed here. */
    @Test
    void everyBuilderOptionIsAccessible() {
        everyOptionIsWithinReach(JobQueueBuilder.class, OF_QUEUE);
        everyOptionIsWithinReach(WorkerBuilder.class, OF_WORKER);
    }

    private static void everyOptionIsWithinReach(Class<?> builder, Map<String, String> ways) {
        Set<String> options = Arrays.stream(builder.getMethods())
                .filter(method -> method.getReturnType() == builder)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(options).containsExactlyInAnyOrderElementsOf(ways.keySet());
        assertThat(ways.values().stream().filter(way -> !way.startsWith("a ")).map(way -> "pawl." + way))
                .isSubsetOf(leaves("pawl", PawlProperties.class));
    }

    @Test
    void contradictingOptionsFailTheStart() {
        Map.of(
                        "--pawl.worker.queues=a --pawl.worker.weights.b=2", "are alternatives: set one of them",
                        "--pawl.worker.max-suspend=1m", "pawl.worker.suspend-when-idle=true",
                        "--pawl.worker.max-concurrency=3", "is less than pawl.worker.concurrency (10)")
                .forEach((given, message) -> assertThatThrownBy(() -> App.start(
                                FirstProgramTest.Program.class,
                                given.substring(2).split(" --")))
                        .hasStackTraceContaining(message));
    }

    @Test
    void optionsReachTheWorker() {
        try (App app = App.start(
                FirstProgramTest.Program.class,
                "pawl.worker.max-concurrency=12",
                "pawl.worker.max-heap-use=0.9",
                "pawl.worker.suspend-when-idle=true",
                "pawl.worker.max-suspend=1m",
                "pawl.worker.strategy=rows")) {
            Worker worker = app.bean(WorkerLifecycle.class).worker().orElseThrow();
            worker.concurrency(12);
            assertThat(worker.stats().concurrency()).isEqualTo(12);
        }
        assertThatThrownBy(() -> App.start(FirstProgramTest.Program.class, "pawl.worker.strategy=guess"))
                .hasStackTraceContaining("guess");
        assertThatThrownBy(() -> App.start(FirstProgramTest.Program.class, "pawl.worker.max-heap-use=2"))
                .hasStackTraceContaining("maxHeapUse 2.0 is not valid");
    }
}
