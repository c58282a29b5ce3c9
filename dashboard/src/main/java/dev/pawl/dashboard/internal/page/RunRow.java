package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.RunLengths;
import dev.pawl.admin.Sample;
import dev.pawl.dashboard.internal.look.Lately;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How long the runs of a kind took lately, as a row of a table.
 *
 * @param kind its name; empty for all that are not told one by one
 * @param runs how many
 * @param median half of them took at most so long
 * @param p99 of a hundred, all but one
 */
public record RunRow(String kind, String runs, String median, String p99) {
    /** Of a table; all others are in its last row. */
    private static final int MOST = 10;

    /** {@return a row for each kind, in the order of how much time its runs took} */
    static List<RunRow> all(Lately.Told told) {
        List<RunLengths> kinds = RunLengths.byKind(
                told.samples().stream().map(Sample::runs).flatMap(List::stream).toList());
        List<RunLengths> sorted = kinds.stream()
                .filter(one -> one.kind() != null)
                .sorted(Comparator.comparing(RunLengths::total).reversed())
                .toList();
        List<RunLengths> shown = sorted.subList(0, Math.min(MOST, sorted.size()));
        RunLengths others = RunLengths.together(
                kinds.stream().filter(one -> !shown.contains(one)).toList());
        return Stream.concat(shown.stream(), others.runs() == 0 ? Stream.of() : Stream.of(others))
                .map(RunRow::of)
                .toList();
    }

    private static RunRow of(RunLengths one) {
        String kind = one.kind();
        return new RunRow(
                kind == null ? "" : kind, Words.number(one.runs()), took(one.quantile(0.5)), took(one.quantile(0.99)));
    }

    /** {@return with a digit more than other lengths where it is short} */
    static String took(Duration length) {
        return length.compareTo(Duration.ofMillis(10)) < 0
                ? String.format(Locale.ROOT, "%.1f ms", length.toNanos() / 1e6)
                : Words.length(length);
    }
}
