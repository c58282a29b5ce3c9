package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;

import dev.pawl.admin.RetentionRule;
import dev.pawl.api.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "retentions",
        mixinStandardHelpOptions = true,
        description = {
            "List the queues and kinds whose finished jobs are kept for a time of their own. 'pawl set retention' sets one. All",
            "others are kept as long as a program says."
        })
final class RetentionsCommand extends CliCommand {
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
                            RetentionsCommand::asJson,
                            "no queue or kind has a retention of its own");
            if (!output().isJson()) {
                Optional<Retention> stored =
                        session.queue().admin().maintenance().storedRetention();
                out().println("all others: " + PruneCommand.words(stored.orElse(Retention.DEFAULTS))
                        + (stored.isPresent() ? ", as a program has set it" : ", because no program has set it"));
            }
            return 0;
        }
    }

    private static @Nullable String length(@Nullable Duration keep) {
        return keep == null ? null : Texts.length(keep);
    }

    static Map<String, @Nullable Object> asJson(RetentionRule rule) {
        return JsonForm.about(
                rule.subject(),
                "completed",
                rule.completed(),
                "cancelled",
                rule.cancelled(),
                "discarded",
                rule.discarded());
    }
}
