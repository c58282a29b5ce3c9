package dev.pawl.metrics;

import dev.pawl.metrics.Names.Measure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Where metrics go: a library for them. {@code MicrometerMeters} and {@code OpenTelemetryMeters} are two; another library needs
 * these few methods. Thread-safe. What it throws is logged by the caller as far as it runs in a worker, and changes nothing for
 * the job.
 */
public interface Meters {
    /**
     * Counts one more.
     *
     * @param measure a counter
     * @param labels the values of its {@linkplain Measure#labels() labels}, in their order
     */
    void count(Measure measure, List<String> labels);

    /**
     * Notes a duration.
     *
     * @param measure a timer
     * @param labels the values of its {@linkplain Measure#labels() labels}, in their order
     * @param duration zero or more
     */
    void record(Measure measure, List<String> labels, Duration duration);

    /**
     * Asks for a count whenever the metrics are read.
     *
     * @param measure a counter without labels
     * @param value only grows
     */
    void counter(Measure measure, LongSupplier value);

    /**
     * Asks for a value whenever the metrics are read.
     *
     * @param measure a gauge without labels
     * @param value what it is now; NaN if it is unknown
     */
    void gauge(Measure measure, DoubleSupplier value);

    /**
     * Sets all series of a gauge; those that it had before and that are not among them end.
     *
     * @param measure a gauge
     * @param values by the values of its {@linkplain Measure#labels() labels}, in their order; of a gauge without, one by an
     *     empty list
     */
    void set(Measure measure, Map<List<String>, Double> values);

    /** Asks for nothing any more, as far as the library can be told so. What is not is left to whoever closes the library. */
    default void close() {}
}
