package dev.pawl.cli;

import dev.pawl.admin.BatchInfo;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of batches or workflows, newest first. A workflow is a batch of its nodes. */
final class BatchPage {
    private static final int MAX = 10_000;

    @Option(names = "--before", paramLabel = "ID", description = "Only those with a smaller number: for the next page.")
    private long before = Long.MAX_VALUE;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most, 1 to 10000. Default: ${DEFAULT-VALUE}")
    private int limit = 50;

    /** Reads the batches below a number. */
    @FunctionalInterface
    interface Source {
        List<BatchInfo> read(long before, int most);
    }

    /** @throws UsageException if the page is too large */
    void check() {
        Texts.requireRange("--limit", limit, 1, MAX);
    }

    void print(
            CliCommand command,
            Source source,
            List<Output.Column<BatchInfo>> columns,
            Function<BatchInfo, Map<String, @Nullable Object>> asJson,
            String none) {
        List<BatchInfo> page = source.read(before, limit);
        command.output().rows(command.out(), page, columns, asJson, none);
        if (!command.output().isJson() && page.size() == limit) {
            command.out()
                    .println("next page: --before " + page.get(page.size() - 1).id());
        }
    }
}
