package dev.pawl.metrics;

import dev.pawl.metrics.Names.Measure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The target of metrics: a metrics library. {@code MicrometerMeters} and {@code OpenTelemetryMeters} implement it; to support another
 * library, implement these methods. Thread-safe. An exception of a method is logged, and does not affect the job.
 */
public interface Meters {
    /**
     * Increments a counter.
     *
     * @param measure a counter
     * @param labels the values of its {@linkplain Measure#labels() labels}, in their order
     */
    void count(Measure measure, List<String> labels);

    /**
     * Records a duration.
     *
     * @param measure a timer
     * @param labels the values of its {@linkplain Measure#labels() labels}, in their order
     * @param duration zero or more
     */
    void record(Measure measure, List<String> labels, Duration duration);

    /**
     * Registers a count that is read whenever the metrics are read.
     *
     * @param measure a counter without labels
     * @param value never decreases
     */
    void counter(Measure measure, LongSupplier value);

    /**
     * Registers a value that is read whenever the metrics are read.
     *
     * @param measure a gauge without labels
     * @param value the current value; NaN if it is unknown
     */
    void gauge(Measure measure, DoubleSupplier value);

    /**
     * Sets all series of a gauge and removes those missing from the map.
     *
     * @param measure a gauge
     * @param values by the values of its {@linkplain Measure#labels() labels}, in their order; for a gauge without
     *     labels, one value with an empty list
     */
    void set(Measure measure, Map<List<String>, Double> values);

    /** Unregisters all callbacks, as far as the library supports it. The rest ends when the library is closed. */
    default void close() {}
}
