package dev.pawl.metrics;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Bucket limits of histograms: for jobs that start at once up to jobs that take all night. */
public final class Buckets {
    /** The upper limits, in ascending order. */
    public static final List<Duration> ALL = Stream.of(
                    5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000)
            .map(Duration::ofMillis)
            .toList();

    private Buckets() {}
}
