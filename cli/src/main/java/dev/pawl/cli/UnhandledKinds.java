package dev.pawl.cli;

import dev.pawl.admin.UnattendedJobs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Jobs that are left because no worker handles their kinds, perhaps because of a typing error. */
final class UnhandledKinds {
    private static final int MAX_NAMED = 5;

    private UnhandledKinds() {}

    /**
     * {@return how many are left in each queue, and their kinds; empty if there are none}
     *
     * @param unattended jobs without a live worker
     * @param queues which queues to report on
     * @param kinds that the ending program has run
     */
    static String left(List<UnattendedJobs> unattended, Predicate<String> queues, Set<String> kinds) {
        Map<String, List<UnattendedJobs>> byQueue = unattended.stream()
                .filter(one -> queues.test(one.queue()) && !kinds.contains(one.kind()))
                .collect(Collectors.groupingBy(UnattendedJobs::queue, TreeMap::new, Collectors.toList()));
        return byQueue.entrySet().stream()
                .map(each -> words(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String words(String queue, List<UnattendedJobs> left) {
        List<String> names = left.stream().map(UnattendedJobs::kind).sorted().toList();
        return (left.stream().anyMatch(UnattendedJobs::isAtLeast) ? "at least " : "")
                + left.stream().mapToLong(UnattendedJobs::jobs).sum() + " in queue " + queue
                + " of kinds that no live worker runs: "
                + String.join(", ", names.subList(0, Math.min(MAX_NAMED, names.size())))
                + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "")
                + " (pawl work --queues " + queue + " --handler " + names.get(0) + "=…)";
    }
}
