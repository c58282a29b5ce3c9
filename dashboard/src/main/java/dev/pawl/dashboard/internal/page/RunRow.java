package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Recent run times of a kind, as a row of a table.
 *
 * @param kind its name; empty for the sum of all kinds without their own row
 * @param runs number of runs
 * @param median the median
 * @param p99 the 99th percentile
 */
public record RunRow(String kind, String runs, String median, String p99) {
    /** Maximum number of rows; all other kinds share the last one. */
    private static final int MAX = 10;

    /** {@return a row for each kind, by descending total run time} */
    static List<RunRow> all(RecentSeries.Series series) {
        List<RunLengths> kinds = RunLengths.byKind(series.samples().stream()
                .map(Sample::runs)
                .flatMap(List::stream)
                .toList());
        List<RunLengths> sorted = kinds.stream()
                .filter(one -> one.kind() != null)
                .sorted(Comparator.comparing(RunLengths::total).reversed())
                .toList();
        List<RunLengths> shown = sorted.subList(0, Math.min(MAX, sorted.size()));
        RunLengths others = RunLengths.together(
                kinds.stream().filter(one -> !shown.contains(one)).toList());
        return Stream.concat(shown.stream(), others.runs() == 0 ? Stream.of() : Stream.of(others))
                .map(RunRow::of)
                .toList();
    }

    private static RunRow of(RunLengths one) {
        String kind = one.kind();
        return new RunRow(
                kind == null ? "" : kind,
                Formats.number(one.runs()),
                took(one.quantile(0.5)),
                took(one.quantile(0.99)));
    }

    /** {@return the duration, with one more digit than usual if it is short} */
    static String took(Duration length) {
        return length.compareTo(Duration.ofMillis(10)) < 0
                ? String.format(Locale.ROOT, "%.1f ms", length.toNanos() / 1e6)
                : Formats.length(length);
    }
}
