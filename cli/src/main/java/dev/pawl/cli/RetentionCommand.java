package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;

import dev.pawl.admin.RetentionRule;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "retention",
        mixinStandardHelpOptions = true,
        description = {
            "How long finished jobs of a queue or kind are kept, where that differs from all others. Without a",
            "subcommand: which queues and kinds have a retention of their own."
        },
        subcommands = {RetentionCommand.Set.class, RetentionCommand.Remove.class})
final class RetentionCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().admin().maintenance().retentions(),
                            List.of(
                                    name("RETENTION", rule -> rule.subject().toString()),
                                    left("COMPLETED", rule -> length(rule.completed())),
                                    left("CANCELLED", rule -> length(rule.cancelled())),
                                    left("DISCARDED", rule -> length(rule.discarded()))),
                            RetentionCommand::asJson,
                            "no queue or kind has a retention of its own");
            return 0;
        }
    }

    private static @Nullable String length(@Nullable Duration keep) {
        return keep == null ? null : Texts.length(keep);
    }

    private static Map<String, @Nullable Object> asJson(RetentionRule rule) {
        return JsonForm.about(
                rule.subject(),
                "completed",
                rule.completed(),
                "cancelled",
                rule.cancelled(),
                "discarded",
                rule.discarded());
    }

    /** Base of the commands for one queue or kind. */
    abstract static class OfOne extends CliCommand {
        @Parameters(
                index = "0",
                paramLabel = "queue|kind",
                description = "What the retention applies to: a queue or a kind.")
        private String of = "";

        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the queue or kind.")
        private String name = "";

        final Subject subject() {
            if (!of.equals("queue") && !of.equals("kind")) {
                throw new UsageException("a retention applies to a 'queue' or a 'kind', not to a '" + of + "'");
            }
            return new Subject(Subject.Of.parse(of), name);
        }
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = {
                "Set how long finished jobs are kept, in place of what was set before. It applies to those that have"
                        + " finished already, too.",
                "States that are not given are kept as for all others."
            })
    static final class Set extends OfOne {
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
                report(asJson(rule), "jobs of " + subject() + " are kept: " + words(rule) + before);
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

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Keep finished jobs as long as all others again.")
    static final class Remove extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().admin().maintenance().clearRetention(subject())) {
                    throw new NotFoundException(subject() + " has no retention of its own");
                }
                report(JsonForm.about(subject(), "removed", true), "the retention of " + subject() + " is removed");
                return 0;
            }
        }
    }
}
