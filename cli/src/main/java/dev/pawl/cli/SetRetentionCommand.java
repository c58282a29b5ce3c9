package dev.pawl.cli;

import dev.pawl.admin.RetentionRule;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "retention",
        mixinStandardHelpOptions = true,
        description = {
            "Set how long finished jobs are kept. It applies to those that have finished already, too.",
            "States that are not given stay as they were set, and 'none' keeps them as for all others."
        })
final class SetRetentionCommand extends OneRetention {
    @Option(
            names = "--completed",
            paramLabel = "DURATION",
            description = "0s (until the next pruning) or more, or none. Default: as it is")
    private @Nullable String completed;

    @Option(
            names = "--cancelled",
            paramLabel = "DURATION",
            description = "0s (until the next pruning) or more, or none. Default: as it is")
    private @Nullable String cancelled;

    @Option(names = "--discarded", paramLabel = "DURATION", description = "1ms or more, or none. Default: as it is")
    private @Nullable String discarded;

    @Mixin
    private NameOptions names = new NameOptions();

    @Override
    public Integer call() {
        Subject subject = subject();
        RetentionRule none = new RetentionRule(subject, null, null, null);
        RetentionRule unused = changed(none); // reports mistakes before the database is opened
        if (completed == null && cancelled == null && discarded == null) {
            throw new UsageException(
                    "a retention needs --completed, --cancelled or --discarded with a duration, such as 30d");
        }
        try (DatabaseOptions.Session session = database().open(2)) {
            names.requireForSetting(this, session.queue(), subject);
            RetentionRule before = session.queue().admin().maintenance().retentions().stream()
                    .filter(one -> one.subject().equals(subject))
                    .findFirst()
                    .orElse(none);
            RetentionRule rule = changed(before);
            if (rule.equals(none)) {
                throw new UsageException("that would leave no retention: pawl remove retention "
                        + subject.of().word() + " " + subject.name());
            }
            session.queue().admin().maintenance().setRetention(rule);
            report(
                    RetentionsCommand.asJson(rule),
                    "jobs of " + subject + " are kept: " + words(rule)
                            + (before.equals(none) || before.equals(rule) ? "" : "; before: " + words(before)));
            return 0;
        }
    }

    /** {@return the rule with the given parts} */
    private RetentionRule changed(RetentionRule rule) {
        return new RetentionRule(
                rule.subject(),
                given("--completed", completed, rule.completed()),
                given("--cancelled", cancelled, rule.cancelled()),
                given("--discarded", discarded, rule.discarded()));
    }

    private static @Nullable Duration given(String option, @Nullable String text, @Nullable Duration before) {
        return text == null ? before : text.equals("none") ? null : Texts.duration(option, text);
    }

    private static String words(RetentionRule rule) {
        List<String> words = new ArrayList<>();
        add(words, "completed", rule.completed());
        add(words, "cancelled", rule.cancelled());
        add(words, "discarded", rule.discarded());
        return String.join(", ", words);
    }

    private static void add(List<String> words, String state, @Nullable Duration keep) {
        if (keep != null) {
            words.add(state + " for " + Texts.length(keep));
        }
    }
}
