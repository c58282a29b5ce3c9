package dev.pawl.cli;

import dev.pawl.admin.RetentionRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "retention",
        mixinStandardHelpOptions = true,
        description = {
            "Set how long finished jobs are kept, in place of what was set before. It applies to those that have"
                    + " finished already, too.",
            "States that are not given are kept as for all others."
        })
final class SetRetentionCommand extends OneRetention {
    @Option(
            names = "--completed",
            paramLabel = "DURATION",
            description = "0s (until the next pruning) or more. Default: as for all others")
    private @Nullable String completed;

    @Option(
            names = "--cancelled",
            paramLabel = "DURATION",
            description = "0s (until the next pruning) or more. Default: as for all others")
    private @Nullable String cancelled;

    @Option(names = "--discarded", paramLabel = "DURATION", description = "1ms or more. Default: as for all others")
    private @Nullable String discarded;

    @Override
    public Integer call() {
        RetentionRule rule = new RetentionRule(
                subject(),
                given("--completed", completed),
                given("--cancelled", cancelled),
                given("--discarded", discarded));
        if (completed == null && cancelled == null && discarded == null) {
            throw new UsageException(
                    "a retention needs --completed, --cancelled or --discarded with a duration, such as 30d");
        }
        try (DatabaseOptions.Session session = database().open(2)) {
            String before = session.queue().admin().maintenance().retentions().stream()
                    .filter(one -> one.subject().equals(subject()) && !one.equals(rule))
                    .map(one -> "; before: " + words(one))
                    .findFirst()
                    .orElse("");
            session.queue().admin().maintenance().setRetention(rule);
            report(RetentionsCommand.asJson(rule), "jobs of " + subject() + " are kept: " + words(rule) + before);
            return 0;
        }
    }

    private static String words(RetentionRule rule) {
        List<String> words = new ArrayList<>();
        add(words, "completed", rule.completed());
        add(words, "cancelled", rule.cancelled());
        add(words, "discarded", rule.discarded());
        return String.join(", ", words);
    }

    private static @Nullable Duration given(String option, @Nullable String text) {
        return text == null ? null : Texts.duration(option, text);
    }

    private static void add(List<String> words, String state, @Nullable Duration keep) {
        if (keep != null) {
            words.add(state + " for " + Texts.length(keep));
        }
    }
}
