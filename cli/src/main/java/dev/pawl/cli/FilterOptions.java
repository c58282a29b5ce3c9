package dev.pawl.cli;

import dev.pawl.admin.Choice;
import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A job filter: all given conditions must match. */
final class FilterOptions {
    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "available, blocked, pending, paused, running, completed, cancelled or discarded;"
                    + " several are comma-separated.")
    private @Nullable String state;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only these queues, comma-separated.")
    private @Nullable String queue;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only these kinds, comma-separated.")
    private @Nullable String kind;

    @Option(names = "--unique-key", paramLabel = "KEY", description = "Only jobs with this unique key.")
    private @Nullable String uniqueKey;

    @Option(names = "--key", paramLabel = "KEY", description = "Only jobs with this concurrency key.")
    private @Nullable String key;

    @Option(names = "--tag", paramLabel = "TAG", description = "Only jobs with this tag.")
    private @Nullable String tag;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "Only jobs whose payload contains this text; case-sensitive.")
    private @Nullable String text;

    @Option(
            names = "--since",
            paramLabel = "MOMENT",
            description =
                    "Only jobs enqueued at this time or later: 2030-01-31T08:00:00Z, or an age such as 15m, 2h or 7d.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "MOMENT", description = "Only jobs enqueued before this time.")
    private @Nullable String until;

    @Option(
            names = "--filter",
            paramLabel = "LINE",
            description = "The whole filter in one line, such as 'state:discarded kind:mail.send from:24h'; qualifiers:"
                    + " state, queue, kind, tag, key,"
                    + " uniqueKey, text, from, until. kind:a,b matches either, -kind:c excludes; the same works for queue and state."
                    + " Put values that contain spaces in double quotes.")
    private @Nullable String line;

    /** {@return whether any condition is given} */
    boolean isGiven() {
        return !filter().equals(JobFilter.ALL);
    }

    private static List<String> split(String option, @Nullable String values) {
        List<String> all = values == null ? List.of() : List.of(values.split(",", -1));
        if (all.contains("")) {
            throw new UsageException(option + " '" + values + "' has an empty value: leave it out");
        }
        return all;
    }

    JobFilter filter() {
        JobFilter options = JobFilter.ALL
                .states(Choice.of(
                        split("--state", state).stream().map(Texts::state).toList()))
                .queues(Choice.of(split("--queue", queue)))
                .kinds(Choice.of(split("--kind", kind)))
                .uniqueKey(uniqueKey)
                .key(key)
                .tag(tag)
                .text(text)
                .createdFrom(since == null ? null : Texts.moment("--since", since))
                .createdBefore(until == null ? null : Texts.moment("--until", until));
        return line == null ? options : FilterText.parse(line, options, Instant.now());
    }
}
