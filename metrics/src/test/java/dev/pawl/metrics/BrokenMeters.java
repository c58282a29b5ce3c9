package dev.pawl.metrics;

import dev.pawl.metrics.Names.Measure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/** A metrics library that fails. */
final class BrokenMeters implements Meters {
    @Override
    public void count(Measure measure, List<String> labels) {
        throw new IllegalStateException("full");
    }

    @Override
    public void record(Measure measure, List<String> labels, Duration duration) {
        throw new IllegalStateException("full");
    }

    @Override
    public void counter(Measure measure, LongSupplier value) {
        throw new IllegalStateException("full");
    }

    @Override
    public void gauge(Measure measure, DoubleSupplier value) {
        throw new IllegalStateException("full");
    }

    @Override
    public void set(Measure measure, Map<List<String>, Double> values) {
        throw new IllegalStateException("full");
    }
}
