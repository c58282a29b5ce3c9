package dev.pawl.cli;

import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobEdit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "edit",
        mixinStandardHelpOptions = true,
        description = "Change the payload, priority or time of a waiting job.",
        subcommands = EditCommand.OfJob.class)
final class EditCommand {
    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description = "Change a waiting job. Its log keeps the old values, see 'pawl job ID'.")
    static final class OfJob extends CliCommand implements NamesJobs {
        @Parameters(paramLabel = "ID", description = "The job's id.")
        private long id;

        @Option(names = "--payload", paramLabel = "TEXT", description = "Another payload: a JSON value.")
        private @Nullable String payload;

        @Option(names = "--raw", description = "Pass --payload unchanged, for kinds whose payloads are not JSON.")
        private boolean raw;

        @Option(
                names = "--priority",
                paramLabel = "N",
                description = "Another priority, -32768 to 32767; smaller ones go first. Default: unchanged")
        private @Nullable Integer priority;

        @Option(
                names = "--at",
                paramLabel = "MOMENT",
                description = "When it may run, such as 2030-01-31T08:00:00Z; a time in the past means at once.")
        private @Nullable String at;

        @Option(
                names = "--in",
                paramLabel = "DURATION",
                description =
                        "When it may run: this long from now, by the clock of this machine, 0s to 3650d. Default: unchanged")
        private @Nullable String in;

        @Option(names = "--by", paramLabel = "WHO", description = "Who changes it. Default: the user of this machine")
        private @Nullable String by;

        @Override
        public List<Long> routingIds() {
            return List.of(id);
        }

        @Override
        public Integer call() {
            String text = payload;
            if (raw && text == null) {
                throw new UsageException("--raw needs --payload");
            }
            if (text != null && !raw) {
                String unused = Texts.requireJson("--payload", text);
            }
            JobEdit edit = new JobEdit(text, priority, Texts.atOrIn(at, in), null);
            if (edit.equals(JobEdit.NOTHING)) {
                throw new UsageException("nothing to change: give --payload, --priority, --at or --in");
            }
            String who = by != null ? by : System.getProperty("user.name", "unknown");
            try (DatabaseOptions.Session session = database().openExisting()) {
                return new JobResults<EditResult>(
                                List.of(id),
                                job -> session.queue().admin().jobs().edit(job, edit, who))
                        .print(this, EditResult.CHANGED::equals, answer -> switch (answer) {
                            case CHANGED -> "is changed";
                            case OTHER_PAYLOAD -> "has another payload by now; nothing was changed";
                            case RUNNING -> "is running; nothing was changed";
                            case ALREADY_FINISHED -> "had already finished; nothing was changed";
                            case NOT_FOUND -> "does not exist (or it was pruned)";
                        });
            }
        }
    }
}
