package dev.pawl.dashboard.internal.api;

import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of samples. All buckets of all kinds would be megabytes, so run times are reduced to the values that charts show. */
final class SampleJson {
    private SampleJson() {}

    static Map<String, @Nullable Object> of(Sample sample) {
        return Json.object(
                "at",
                sample.at(),
                "span",
                sample.span(),
                "queues",
                sample.queues(),
                "runs",
                sample.runs().stream().map(SampleJson::runs).toList());
    }

    private static Map<String, @Nullable Object> runs(RunLengths lengths) {
        return Json.object(
                "kind",
                lengths.kind(),
                "runs",
                lengths.runs(),
                "median",
                lengths.quantile(0.5),
                "p99",
                lengths.quantile(0.99));
    }
}
