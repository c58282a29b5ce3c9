package dev.pawl.cli;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.Prefetch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that limit which jobs a worker runs at once, and when it claims more. */
final class WeightOptions {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,2})%?");

    @Option(
            names = "--max-concurrency",
            paramLabel = "N",
            description =
                    "Up to how many jobs at once 'pawl scale worker' may raise it: --concurrency to 10000. Default: --concurrency")
    private @Nullable Integer maxConcurrency;

    @Option(
            names = "--weight",
            paramLabel = "KIND=N",
            description = "A job of this kind takes N of --concurrency: 1 to all of it. May be repeated. Default: 1")
    private Map<String, Integer> weights = new LinkedHashMap<>();

    @Option(
            names = "--max-heap-use",
            paramLabel = "PERCENT",
            description =
                    "Claim nothing while more of the heap was in use after the last collection: 50%% to 99%%. Default: no limit")
    private @Nullable String maxHeapUse;

    void applyTo(WorkerBuilder worker, Set<String> kinds) {
        for (String kind : weights.keySet()) {
            if (!kinds.contains(kind)) {
                throw new UsageException("--weight " + kind + ": there is no --handler of this kind");
            }
        }
        if (maxConcurrency != null) {
            worker.maxConcurrency(maxConcurrency);
        }
    }

    Prefetch prefetch() {
        return maxHeapUse == null ? Prefetch.DEFAULTS : Prefetch.DEFAULTS.maxHeapUse(fraction(maxHeapUse));
    }

    int weight(String kind) {
        return weights.getOrDefault(kind, 1);
    }

    private static double fraction(String text) {
        Matcher percent = PERCENT.matcher(text);
        if (!percent.matches()) {
            throw new UsageException("--max-heap-use " + text + " is not valid: use 50% to 99%");
        }
        return Integer.parseInt(percent.group(1)) / 100.0;
    }
}
