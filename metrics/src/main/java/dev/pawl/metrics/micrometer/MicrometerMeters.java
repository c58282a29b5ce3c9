package dev.pawl.metrics.micrometer;

import dev.pawl.metrics.Buckets;
import dev.pawl.metrics.Meters;
import dev.pawl.metrics.Names.Label;
import dev.pawl.metrics.Names.Measure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Metrics in a Micrometer registry. Thread-safe. */
public final class MicrometerMeters implements Meters {
    private final MeterRegistry registry;
    private final Tags common;
    private final Map<Series, Counter> counters = new ConcurrentHashMap<>();
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();
    private final Map<Measure, MultiGauge> gauges = new ConcurrentHashMap<>();
    private final Map<Series, AtomicReference<Double>> numbers = new ConcurrentHashMap<>();
    /** Strong references, because the registry only holds weak ones. */
    private final List<LongSupplier> kept = new CopyOnWriteArrayList<>();

    private record Series(Measure measure, List<String> labels) {}

    /**
     * @param registry where the metrics are registered when they are first counted
     */
    public MicrometerMeters(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * Creates meters for one of several databases whose metrics go to the same registry. Without a tag that differs between the databases,
     * Micrometer would add up their counts and times, and would keep the other metrics of the first database only.
     *
     * @param registry where the metrics are registered when they are first counted
     * @param common tags of all metrics, such as {@code Tags.of("shard", "a")}; the same keys for each database
     */
    public MicrometerMeters(MeterRegistry registry, Iterable<Tag> common) {
        this.registry = registry;
        this.common = Tags.of(common);
    }

    @Override
    public void count(Measure measure, List<String> labels) {
        counter(new Series(measure, labels)).increment();
    }

    private Counter counter(Series series) {
        Counter known = counters.get(series);
        return known != null
                ? known
                : counters.computeIfAbsent(
                        series,
                        missing -> Counter.builder(missing.measure.micrometer())
                                .description(missing.measure.description())
                                .tags(tags(missing.measure, missing.labels))
                                .register(registry));
    }

    @Override
    public void record(Measure measure, List<String> labels, Duration duration) {
        timer(new Series(measure, labels)).record(duration);
    }

    private Timer timer(Series series) {
        Timer known = timers.get(series);
        return known != null
                ? known
                : timers.computeIfAbsent(
                        series,
                        missing -> Timer.builder(missing.measure.micrometer())
                                .description(missing.measure.description())
                                .tags(tags(missing.measure, missing.labels))
                                .serviceLevelObjectives(Buckets.ALL.toArray(new Duration[0]))
                                .register(registry));
    }

    @Override
    public void counter(Measure measure, LongSupplier value) {
        kept.add(value);
        FunctionCounter.builder(measure.micrometer(), value, LongSupplier::getAsLong)
                .description(measure.description())
                .tags(common)
                .register(registry);
    }

    @Override
    public void gauge(Measure measure, DoubleSupplier value) {
        Gauge.builder(measure.micrometer(), value::getAsDouble)
                .description(measure.description())
                .tags(common)
                .baseUnit(unit(measure))
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void set(Measure measure, Map<List<String>, Double> values) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        numbers.keySet().removeIf(known -> known.measure == measure && !values.containsKey(known.labels));
        values.forEach((labels, value) -> {
            AtomicReference<Double> number =
                    numbers.computeIfAbsent(new Series(measure, labels), missing -> new AtomicReference<>(value));
            number.set(value);
            rows.add(MultiGauge.Row.of(tags(measure, labels), number, AtomicReference::get));
        });
        // Gauges stay registered, because a scrape during the replacement of a gauge would see that gauge twice, and
        // fail.
        gauges.computeIfAbsent(
                        measure,
                        missing -> MultiGauge.builder(missing.micrometer())
                                .description(missing.description())
                                .baseUnit(unit(missing))
                                .register(registry))
                .register(rows, false);
    }

    private static @Nullable String unit(Measure measure) {
        return measure.isSeconds() ? "seconds" : null;
    }

    private Tags tags(Measure measure, List<String> labels) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            Label label = measure.labels().get(i);
            tags.add(Tag.of(label.micrometer(), labels.get(i)));
        }
        return common.and(tags);
    }
}
