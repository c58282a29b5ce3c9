package dev.pawl.metrics.otel;

import dev.pawl.metrics.Buckets;
import dev.pawl.metrics.Meters;
import dev.pawl.metrics.Names;
import dev.pawl.metrics.Names.Measure;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics for OpenTelemetry, with the names of its messaging conventions where these define one. Thread-safe. */
public final class OpenTelemetryMeters implements Meters {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTelemetryMeters.class);

    private final Meter meter;
    private final Attributes common;
    /** Asynchronous instruments, until they are closed. */
    private final Queue<AutoCloseable> asking = new ConcurrentLinkedQueue<>();

    private final Map<Measure, LongCounter> counters = new ConcurrentHashMap<>();
    private final Map<Measure, DoubleHistogram> histograms = new ConcurrentHashMap<>();
    private final Map<Measure, Map<List<String>, Double>> gauges = new ConcurrentHashMap<>();
    private final Map<Series, Attributes> attributes = new ConcurrentHashMap<>();

    private record Series(Measure measure, List<String> labels) {}

    /**
     * @param openTelemetry the program's
     */
    public OpenTelemetryMeters(OpenTelemetry openTelemetry) {
        this(openTelemetry, Attributes.empty());
    }

    /**
     * Creates meters for one of several databases of a program.
     *
     * @param openTelemetry the program's
     * @param common attributes of all metrics, such as the name of the database
     */
    public OpenTelemetryMeters(OpenTelemetry openTelemetry, Attributes common) {
        this.meter = openTelemetry.getMeter(Names.SCOPE);
        this.common = common;
    }

    @Override
    public void count(Measure measure, List<String> labels) {
        counters.computeIfAbsent(
                        measure,
                        missing -> meter.counterBuilder(missing.otel())
                                .setDescription(missing.description())
                                .setUnit(unit(missing))
                                .build())
                .add(1, attributes(measure, labels));
    }

    @Override
    public void record(Measure measure, List<String> labels, Duration duration) {
        histograms
                .computeIfAbsent(
                        measure,
                        missing -> meter.histogramBuilder(missing.otel())
                                .setDescription(missing.description())
                                .setUnit(unit(missing))
                                .setExplicitBucketBoundariesAdvice(Buckets.ALL.stream()
                                        .map(OpenTelemetryMeters::seconds)
                                        .toList())
                                .build())
                .record(seconds(duration), attributes(measure, labels));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    @Override
    public void counter(Measure measure, LongSupplier value) {
        asking.add(meter.counterBuilder(measure.otel())
                .setDescription(measure.description())
                .setUnit(unit(measure))
                .buildWithCallback(now -> now.record(value.getAsLong(), common)));
    }

    @Override
    public void gauge(Measure measure, DoubleSupplier value) {
        asking.add(meter.gaugeBuilder(measure.otel())
                .setDescription(measure.description())
                .setUnit(unit(measure))
                .buildWithCallback(now -> {
                    double known = value.getAsDouble();
                    if (!Double.isNaN(known)) {
                        now.record(known, common);
                    }
                }));
    }

    @Override
    public void set(Measure measure, Map<List<String>, Double> values) {
        if (gauges.put(measure, Map.copyOf(values)) == null) {
            asking.add(meter.gaugeBuilder(measure.otel())
                    .setDescription(measure.description())
                    .setUnit(unit(measure))
                    .buildWithCallback(now -> observe(measure, now)));
        }
    }

    @Override
    public void close() {
        for (AutoCloseable each = asking.poll(); each != null; each = asking.poll()) {
            try {
                each.close();
            } catch (Exception broken) {
                LOG.debug("an instrument could not be closed", broken);
            }
        }
        gauges.clear();
    }

    private void observe(Measure measure, ObservableDoubleMeasurement now) {
        gauges.getOrDefault(measure, Map.of())
                .forEach((labels, value) -> now.record(value, attributes(measure, labels)));
    }

    private static String unit(Measure measure) {
        if (measure.isSeconds()) {
            return "s";
        }
        return measure.operation().isEmpty() ? "1" : "{message}";
    }

    private Attributes attributes(Measure measure, List<String> labels) {
        return attributes.computeIfAbsent(new Series(measure, labels), missing -> {
            AttributesBuilder all = common.toBuilder();
            for (int i = 0; i < labels.size(); i++) {
                all.put(measure.labels().get(i).otel(), labels.get(i));
            }
            if (!measure.operation().isEmpty()) {
                all.put(Names.SYSTEM, Names.PAWL).put(Names.OPERATION, measure.operation());
            }
            return all.build();
        });
    }
}
