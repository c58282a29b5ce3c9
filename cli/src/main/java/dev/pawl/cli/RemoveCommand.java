package dev.pawl.cli;

import java.util.Map;
import picocli.CommandLine.Command;

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
                boolean isHeld = session.queue().limits().list().stream()
                        .anyMatch(info -> info.limit().subject().equals(subject()) && info.hold() != null);
                report(
                        JsonForm.about(subject(), "removed", true, "held", isHeld),
                        "the limit of " + subject() + " is removed"
                                + (isHeld
                                        ? "; its jobs are still on hold: pawl resume "
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
            description = "Keep finished jobs as long as all others again.")
    static final class OfRetention extends OneRetention {
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
