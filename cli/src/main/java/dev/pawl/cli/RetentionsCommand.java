package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;

import dev.pawl.admin.RetentionRule;
import dev.pawl.api.Retention;
import java.time.Duration;
import java.util.ArrayList;
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
            "others are kept as long as programs say: the longest time that a worker's program has set."
        })
final class RetentionsCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<RetentionRule> rules = session.queue().admin().maintenance().retentions();
            Optional<Retention> stored = session.queue().admin().maintenance().storedRetention();
            if (output().isJson()) {
                List<Object> all = new ArrayList<>();
                rules.forEach(rule -> all.add(asJson(rule)));
                stored.ifPresent(each -> all.add(asJson(each)));
                output().json(out(), all);
                return 0;
            }
            output().rows(
                            out(),
                            rules,
                            List.of(
                                    name("RETENTION", rule -> rule.subject().toString()),
                                    left("COMPLETED", rule -> length(rule.completed())),
                                    left("CANCELLED", rule -> length(rule.cancelled())),
                                    left("DISCARDED", rule -> length(rule.discarded()))),
                            "no queue or kind has a retention of its own");
            out().println("all others: " + PruneCommand.words(stored.orElse(Retention.DEFAULTS))
                    + (stored.isPresent()
                            ? ", as programs have set it (pawl remove retention program)"
                            : ", because no program has set it"));
            return 0;
        }
    }

    private static @Nullable String length(@Nullable Duration keep) {
        return keep == null ? null : Texts.length(keep);
    }

    /** What programs have stored for all other jobs: its name is empty. */
    private static Map<String, @Nullable Object> asJson(Retention stored) {
        return JsonForm.object(
                "subject",
                "program",
                "name",
                "",
                "completed",
                stored.completed(),
                "cancelled",
                stored.cancelled(),
                "discarded",
                stored.discarded());
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
