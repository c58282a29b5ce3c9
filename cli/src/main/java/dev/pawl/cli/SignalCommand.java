package dev.pawl.cli;

import dev.pawl.api.SignalResult;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "signal",
        mixinStandardHelpOptions = true,
        description = "Send a job the signal that it waits for, or will wait for.",
        subcommands = SignalCommand.OfJob.class)
final class SignalCommand {
    @Command(
            name = "job",
            mixinStandardHelpOptions = true,
            description = {
                "Send a job the signal that it waits for, or will wait for. The first signal with a name counts.",
                "Exit codes: 0 it is kept with the job; 1 it had arrived before, arrived too late, or the job has ended or does not exist."
            })
    static final class OfJob extends CliCommand implements NamesJobs {
        @Parameters(
                index = "0",
                paramLabel = "ID",
                description = "The job's id; 'pawl job ID' shows what it waits for.")
        private long id;

        @Parameters(index = "1", paramLabel = "NAME", description = "The signal's name.")
        private String name = "";

        @Parameters(
                index = "2",
                paramLabel = "VALUE",
                arity = "0..1",
                defaultValue = "true",
                description = "Its value: JSON, up to 256 KiB; ${DEFAULT-VALUE} if not given.")
        private String value = "true";

        @Option(
                names = "--raw",
                description = "Pass the value unchanged, for programs whose codec does not write JSON.")
        private boolean raw;

        @Override
        public List<Long> routingIds() {
            return List.of(id);
        }

        @Override
        public Integer call() {
            String text = raw ? value : Texts.requireJson("VALUE", value);
            try (DatabaseOptions.Session session = database().openExisting()) {
                SignalResult result = session.queue().admin().jobs().signal(id, name, text);
                if (output().isJson()) {
                    output().json(out(), JsonForm.object("jobId", id, "signal", name, "result", result));
                } else {
                    (result == SignalResult.DELIVERED ? out() : err()).println("job " + id + " " + words(result));
                }
                return result == SignalResult.DELIVERED ? 0 : 1;
            }
        }

        private static String words(SignalResult result) {
            return switch (result) {
                case DELIVERED -> "has the signal; if it was waiting for it, it continues now";
                case ALREADY_SENT -> "has had that signal before; the first one counts";
                case TOO_LATE -> "waited for that signal until its timeout";
                case ALREADY_FINISHED -> "is finished; nothing waits for the signal";
                case NOT_FOUND -> "does not exist (or it was pruned)";
            };
        }
    }
}
