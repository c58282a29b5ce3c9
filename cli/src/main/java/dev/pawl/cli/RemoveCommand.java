package dev.pawl.cli;

import dev.pawl.limit.Subject;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "remove",
        mixinStandardHelpOptions = true,
        description = "Remove a limit, a retention or a schedule.",
        subcommands = {RemoveCommand.OfLimit.class, RemoveCommand.OfRetention.class, RemoveCommand.OfSchedule.class})
final class RemoveCommand {
    @Command(name = "limit", mixinStandardHelpOptions = true, description = "Remove a limit.")
    static final class OfLimit extends OneLimit {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().limits().remove(subject())) {
                    throw new NotFoundException(subject() + " has no limit");
                }
                boolean isPaused = session.queue().limits().list().stream()
                        .anyMatch(info -> info.limit().subject().equals(subject()) && info.pause() != null);
                report(
                        JsonForm.about(subject(), "removed", true, "paused", isPaused),
                        "the limit of " + subject() + " is removed"
                                + (isPaused
                                        ? "; its jobs are still paused: pawl resume "
                                                + subject().of().word() + " "
                                                + subject().name()
                                        : ""));
                return 0;
            }
        }
    }

    @Command(
            name = "retention",
            mixinStandardHelpOptions = true,
            description = {
                "Keep finished jobs of a queue or kind as long as all others again. With 'program' instead: forget what programs have"
                        + " stored for all others. Programs store it again when they start a worker."
            })
    static final class OfRetention extends CliCommand {
        @Parameters(
                index = "0",
                paramLabel = "queue|kind|program",
                description = "What the retention applies to: a queue, a kind, or all others.")
        private String of = "";

        @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "The name of the queue or kind.")
        private @Nullable String name;

        private Subject subject() {
            if (name == null) {
                throw new UsageException("give the name of the " + of + ": pawl remove retention " + of + " NAME");
            }
            return OneRetention.subject(of, name);
        }

        private int removeOfProgram() {
            if (name != null) {
                throw new UsageException("the retention of programs has no name: pawl remove retention program");
            }
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().admin().maintenance().clearStoredRetention()) {
                    throw new NotFoundException("no program has stored a retention");
                }
                report(
                        JsonForm.object("subject", "program", "name", "", "removed", true),
                        "the retention that programs have stored is removed; a program that sets one stores it again when it"
                                + " starts a worker");
                return 0;
            }
        }

        @Override
        public Integer call() {
            if (of.equals("program")) {
                return removeOfProgram();
            }
            Subject subject = subject();
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().admin().maintenance().clearRetention(subject)) {
                    throw new NotFoundException(subject + " has no retention of its own");
                }
                report(JsonForm.about(subject, "removed", true), "the retention of " + subject + " is removed");
                return 0;
            }
        }
    }

    @Command(
            name = "schedule",
            mixinStandardHelpOptions = true,
            description = "Remove a schedule; its jobs stay. A program that declares it brings it back when it starts.")
    static final class OfSchedule extends OneSchedule {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().schedules().remove(name())) {
                    throw unknown(session);
                }
                report(Map.of("schedule", name(), "removed", true), "schedule " + name() + " is removed");
                return 0;
            }
        }
    }
}
