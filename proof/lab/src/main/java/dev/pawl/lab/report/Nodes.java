package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Clusters whose nodes all take writes. */
final class Nodes {
    private final Results results;

    Nodes(Results results) {
        this.results = results;
    }

    /** The claims on several nodes, with the same cells on one node; empty if no cell has several nodes. */
    Report.Section claims() {
        List<Report.Table> tables = new ArrayList<>();
        if (results.groups().stream().anyMatch(group -> nodes(group) > 1)) {
            table(
                    tables,
                    "A backlog that was enqueued on all of these nodes",
                    "jobs/s",
                    Cell.Measure.DRAIN,
                    group -> Formats.number(group.rate()));
            table(
                    tables,
                    "Jobs that arrive one by one, on one node after the other",
                    "start p50, p99 ms",
                    Cell.Measure.LATENCY,
                    group -> latency(group, arrivals -> arrivals.start().p50()) + ", "
                            + latency(group, arrivals -> arrivals.start().p99()));
        }
        return new Report.Section(
                "On the nodes of a cluster",
                "Workers with pools of their own are connected to the nodes in turn. Claims: those that got jobs; lost:"
                        + " those that got none because another claim was faster, here or on another node, and their share"
                        + " of all. Pause: the longest time in which no job began. Medians over the rounds.",
                tables,
                List.of());
    }

    private void table(
            List<Report.Table> tables,
            String caption,
            String figure,
            Cell.Measure measure,
            Function<Group, String> value) {
        List<List<String>> rows = results.of(measure).stream()
                .filter(group -> nodes(group) > 0)
                .map(group -> List.of(
                        group.cell().database() + ": " + Formats.row(group, results.of(measure)),
                        Integer.toString(nodes(group)),
                        value.apply(group),
                        of(group, each -> (double) each.claims()),
                        of(group, each -> (double) each.lost()),
                        of(group, each -> 100.0 * each.lost() / Math.max(1, each.claims() + each.lost())) + " %",
                        of(group, Trial.OnNodes::longestPauseMillis),
                        String.join("; ", Flags.of(group))))
                .toList();
        if (!rows.isEmpty()) {
            tables.add(new Report.Table(
                    caption, List.of("", "nodes", figure, "claims", "lost", "share", "pause ms", "doubts"), rows));
        }
    }

    private static int nodes(Group group) {
        return group.trials().stream()
                .map(Trial::onNodes)
                .filter(Objects::nonNull)
                .mapToInt(Trial.OnNodes::nodes)
                .max()
                .orElse(0);
    }

    private static String of(Group group, Function<Trial.OnNodes, Double> figure) {
        return Formats.number(group.summary(trial -> trial.onNodes() == null ? null : figure.apply(trial.onNodes())));
    }

    private static String latency(Group group, Function<Trial.Arrivals, @Nullable Double> figure) {
        return Formats.number(group.summary(trial -> trial.arrivals() == null ? null : figure.apply(trial.arrivals())));
    }
}
