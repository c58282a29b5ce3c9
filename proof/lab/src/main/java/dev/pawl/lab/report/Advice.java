package dev.pawl.lab.report;

import dev.pawl.lab.run.Cell;
import dev.pawl.lab.run.LabFile;
import dev.pawl.lab.run.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Recommendations from a short run on a database: which strategy, batch and index to use there, and why. */
public final class Advice {
    private static final double AS_GOOD = 0.9;
    private static final double FAR_BEHIND = 0.5;

    private final LabFile run;
    private final Results results;
    private final LabFile.TargetFacts facts;

    private Advice(LabFile run) {
        this.run = run;
        this.results = Results.of(List.of(run));
        this.facts = run.targets().values().iterator().next();
    }

    /**
     * @param run of one database
     * @return paragraphs, the most important first
     */
    public static List<String> of(LabFile run) {
        Advice advice = new Advice(run);
        List<String> words = new ArrayList<>();
        words.add(advice.strategy());
        words.add(advice.alternatives());
        words.add(advice.batch());
        words.add(advice.index());
        advice.latency().ifPresent(words::add);
        words.addAll(advice.settings());
        words.add(advice.trust());
        return words.stream().filter(word -> !word.isEmpty()).toList();
    }

    private List<Group> defaults() {
        return results.plainDrains().stream()
                .filter(group -> group.cell().batch() == 0 && group.rate().isPresent())
                .toList();
    }

    private static double rate(Group group) {
        Double rate = group.median(Trial.Drained::jobsPerSecond);
        return rate == null ? 0 : rate;
    }

    private Optional<Group> of(String system) {
        return defaults().stream()
                .filter(group -> group.cell().system().equals(system))
                .findFirst();
    }

    private String strategy() {
        Optional<Group> best = defaults().stream().max(Comparator.comparingDouble(Advice::rate));
        Optional<Group> auto = of("auto");
        if (best.isEmpty() || auto.isEmpty()) {
            return "Strategy: nothing could be measured; see what failed.";
        }
        if (rate(auto.get()) >= AS_GOOD * rate(best.get())) {
            return "Strategy: leave it at auto, which is lanes: " + Formats.number(rate(auto.get()))
                    + " jobs a second"
                    + (best.get().equals(auto.get())
                            ? ", the most of all."
                            : ", as good as the fastest (" + best.get().cell().system() + ", "
                                    + Formats.number(rate(best.get())) + ").");
        }
        return "Strategy: " + best.get().cell().system() + ", with " + Formats.number(rate(best.get()))
                + " jobs a second against " + Formats.number(rate(auto.get()))
                + " of auto (lanes). Set it with: pawl set strategy QUEUE "
                + best.get().cell().system();
    }

    private String alternatives() {
        double auto = of("auto").map(Advice::rate).orElse(0.0);
        List<String> words = new ArrayList<>();
        of("transactional")
                .ifPresent(group -> words.add("transactional makes " + Formats.number(rate(group))
                        + " a second, one commit for each job: suitable where a job's effects must commit with its"
                        + " completion and jobs are few"));
        of("pessimistic")
                .ifPresent(group -> words.add("pessimistic makes " + Formats.number(rate(group))
                        + (rate(group) < FAR_BEHIND * auto ? ", since its claims wait for each other" : "")));
        of("optimistic")
                .ifPresent(group -> words.add("optimistic makes " + Formats.number(rate(group))
                        + " and needs neither SKIP LOCKED nor deadlock detection, but gives up"
                        + " order within its window"));
        return words.isEmpty() ? "" : "The others: " + String.join("; ", words) + ".";
    }

    private String batch() {
        List<Group> batches = results.plainDrains().stream()
                .filter(group ->
                        group.cell().system().equals("auto") && group.rate().isPresent())
                .sorted(Comparator.comparingInt(group -> batchOf(group.cell())))
                .toList();
        if (batches.size() < 2 || batches.get(0).cell().batch() != 1) {
            return "";
        }
        double most = batches.stream().mapToDouble(Advice::rate).max().orElse(0);
        Group enough = batches.stream()
                .filter(group -> rate(group) >= AS_GOOD * most)
                .findFirst()
                .orElseThrow();
        Group single = batches.get(0);
        String chosen = enough.cell().batch() == 0
                ? "the default (up to 1000)"
                : Integer.toString(enough.cell().batch());
        return "Batch: " + chosen + " is enough for " + Formats.number(100 * rate(enough) / most)
                + " % of the most that could be had; one job at a time makes " + Formats.number(rate(single)) + " ("
                + Formats.number(100 * rate(single) / most)
                + " %). Smaller batches spread work sooner over several workers and keep closer to the order.";
    }

    private static int batchOf(Cell cell) {
        return cell.batch() == 0 ? Integer.MAX_VALUE : cell.batch();
    }

    private String index() {
        return switch (facts.product()) {
            case "postgresql" ->
                "Index: keep to those that Pawl makes. The one that claims read is partial: it holds ready jobs only,"
                        + " so running and delayed jobs cost nothing. Any index over a column that claims change"
                        + " (state, lease, attempt) ends HOT updates and makes dead entries that every claim then"
                        + " walks over.";
            case "sqlite" ->
                "Index: keep to those that Pawl makes. Its ready index is partial; each further index is one more page"
                        + " to write for the only writer there can be.";
            default ->
                "Index: keep to those that Pawl makes. On InnoDB a locking read locks the records that it walks over,"
                        + " so a claim has to walk over ready jobs only; an index that ends in a column that claims"
                        + " change, such as (queue, reserved_at), lets claims and completions deadlock, even with SKIP"
                        + " LOCKED. For a table of Laravel's, keep (queue) and see 'pawl laravel'.";
        };
    }

    private Optional<String> latency() {
        return results.of(Cell.Measure.LATENCY).stream()
                .filter(group -> group.summary(Advice::p50).isPresent())
                .findFirst()
                .map(group -> "Latency: at 100 jobs a second half of the jobs start within "
                        + Formats.number(group.summary(Advice::p50)) + " ms, 99 % within "
                        + Formats.number(group.summary(Advice::p99))
                        + " ms, counted in one process. "
                        + (facts.product().equals("postgresql")
                                ? "Other processes are woken by NOTIFY."
                                : "Other processes poll about once a second: lower pollInterval if that is too late."));
    }

    private static @Nullable Double p50(Trial trial) {
        return trial.arrivals() == null
                ? null
                : Double.valueOf(trial.arrivals().start().p50());
    }

    private static @Nullable Double p99(Trial trial) {
        return trial.arrivals() == null
                ? null
                : Double.valueOf(trial.arrivals().start().p99());
    }

    /** Warnings about settings of the server that make a strategy unsuitable, or that may lose commits. */
    private List<String> settings() {
        Map<String, String> variables = facts.variables();
        List<String> words = new ArrayList<>();
        if ("OFF".equalsIgnoreCase(variables.get("innodb_deadlock_detect"))) {
            words.add("This server does not detect deadlocks (innodb_deadlock_detect=OFF): a cycle stalls everybody in"
                    + " it for"
                    + " innodb_lock_wait_timeout (" + variables.getOrDefault("innodb_lock_wait_timeout", "50")
                    + " s). Do not use pessimistic here; skip-locked and optimistic cause no cycles.");
        }
        if (Objects.equals(variables.get("fsync"), "off")
                || Objects.equals(variables.get("synchronous_commit"), "off")
                || Objects.equals(variables.get("innodb_flush_log_at_trx_commit"), "0")
                || Objects.equals(variables.get("innodb_flush_log_at_trx_commit"), "2")) {
            words.add("This server may lose its last commits in a crash (its settings of fsync, synchronous_commit or"
                    + " innodb_flush_log_at_trx_commit): jobs that were enqueued or done just before can be"
                    + " gone, or run again.");
        }
        return words;
    }

    private String trust() {
        List<String> doubts = results.groups().stream()
                .flatMap(group ->
                        Flags.of(group).stream().map(flag -> group.cell().text() + ": " + flag))
                .toList();
        return doubts.isEmpty()
                ? "Each figure is the median of " + run.plan().rounds() + " rounds; nothing speaks against them."
                : "Reasons for doubt: " + String.join("; ", doubts)
                        + ". A longer run tells more: pawl lab run --db … --jobs 100000";
    }
}
