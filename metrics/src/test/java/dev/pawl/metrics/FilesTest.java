package dev.pawl.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.metrics.Names.Label;
import dev.pawl.metrics.Names.Measure;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard and the alert rules use only series that a registry with these metrics exposes to Prometheus. */
class FilesTest {
    private static final Pattern NAME = Pattern.compile("\\bpawl_[a-z_]+");
    private static final Pattern LABELS = Pattern.compile("by \\(([a-z, ]+)\\)");

    static Path docs() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder.resolve("docs");
    }

    private static String read(String file) throws IOException {
        return Files.readString(docs().resolve("metrics").resolve(file));
    }

    /** {@return the series that Prometheus reads once each metric has been recorded} */
    private static Set<String> produced() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        MicrometerMeters meters = new MicrometerMeters(registry);
        for (Measure measure : Measure.values()) {
            List<String> labels =
                    measure.labels().stream().map(Label::micrometer).toList();
            if (measure.type() == Names.Type.TIMER) {
                meters.record(measure, labels, Duration.ofMillis(3));
            } else if (measure.type() == Names.Type.GAUGE) {
                meters.set(measure, Map.of(labels, 1.0));
            } else if (labels.isEmpty()) {
                meters.counter(measure, () -> 1);
            } else {
                meters.count(measure, labels);
            }
        }
        return registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> named(String text) {
        return NAME.matcher(text).results().map(found -> found.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> expressions(String file) throws IOException {
        String text = read(file);
        if (!file.endsWith(".json")) {
            return List.of(text);
        }
        List<String> expressions = new ArrayList<>();
        JsonNode dashboard = JsonMapper.shared().readTree(text);
        dashboard
                .get("panels")
                .forEach(panel -> panel.get("targets")
                        .forEach(target -> expressions.add(target.get("expr").asString())));
        dashboard
                .at("/templating/list")
                .forEach(each -> expressions.add(each.get("query").toString()));
        return expressions;
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana-dashboard.json", "prometheus-rules.yaml"})
    void eachMetricThatIsNamedIsProduced(String file) throws IOException {
        Set<String> named = named(String.join("\n", expressions(file)));
        assertThat(named).hasSizeGreaterThan(8);
        assertThat(produced()).containsAll(named);
    }

    @Test
    void theDashboardShowsAllMetrics() throws IOException {
        Set<String> named = named(String.join("\n", expressions("grafana-dashboard.json")));
        assertThat(Stream.of(Measure.values())
                        .filter(measure -> measure != Measure.CLAIMED)
                        .map(Measure::prometheus)
                        .filter(name -> named.stream().noneMatch(found -> found.startsWith(name))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana-dashboard.json", "prometheus-rules.yaml"})
    void whatIsGroupedByIsALabel(String file) throws IOException {
        Set<String> known =
                Arrays.stream(Label.values()).map(Label::micrometer).collect(Collectors.toCollection(TreeSet::new));
        known.add("le");
        for (String expression : expressions(file)) {
            for (Matcher grouped = LABELS.matcher(expression); grouped.find(); ) {
                assertThat(known).containsAll(List.of(grouped.group(1).split(", *", -1)));
            }
        }
    }

    @Test
    void namesMatchPrometheus() {
        Set<String> produced = produced();
        for (Measure measure : Measure.values()) {
            String suffix = measure.type() == Names.Type.TIMER ? "_bucket" : "";
            assertThat(produced).contains(measure.prometheus() + suffix);
        }
    }

    @Test
    void thePageDocumentsEachName() throws IOException {
        String page = Files.readString(docs().resolve("reference/metrics.md"));
        for (Measure measure : Measure.values()) {
            assertThat(page).contains("`" + measure.micrometer() + "`").contains(measure.otel());
        }
    }

    /** The first event of a kind creates its counter, so {@code increase()} has no earlier sample from which to compute an increase. */
    @Test
    void alertsDetectTheFirstEventOfACounter() throws IOException {
        Matcher increases = Pattern.compile("increase\\((\\w+)\\[(\\w+)]\\)").matcher(read("prometheus-rules.yaml"));
        int seen = 0;
        while (increases.find()) {
            String counter = increases.group(1);
            assertThat(read("prometheus-rules.yaml"))
                    .contains("(%s unless %s offset %s) or increase(".formatted(counter, counter, increases.group(2)));
            seen++;
        }
        assertThat(seen).isEqualTo(3);
    }
}
