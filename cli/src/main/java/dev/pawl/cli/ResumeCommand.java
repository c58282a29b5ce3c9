package dev.pawl.cli;

import dev.pawl.Batch;
import dev.pawl.admin.Admin;
import dev.pawl.api.WorkerCommand;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Subject;
import java.util.Map;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "resume",
        mixinStandardHelpOptions = true,
        description = "End the pause of a queue, kind, key, batch, schedule or worker, or of all queues.",
        subcommands = {
            ResumeCommand.OfQueue.class,
            ResumeCommand.OfKind.class,
            ResumeCommand.OfKey.class,
            ResumeCommand.OfBatch.class,
            ResumeCommand.OfSchedule.class,
            ResumeCommand.OfWorker.class,
            ResumeCommand.All.class
        })
final class ResumeCommand {
    @Command(
            name = "queue",
            mixinStandardHelpOptions = true,
            description = "Let workers claim from a queue again, whether a person or an outage has paused it.")
    static final class OfQueue extends CliCommand {
        @Parameters(paramLabel = "QUEUE", description = "The queue's name.")
        private String queue = "";

        @Mixin
        private NameOptions names = new NameOptions();

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                Admin admin = session.queue().admin();
                boolean resumed = admin.queues().resume(queue);
                resumed |= session.queue().limits().resume(Subject.queue(queue));
                if (!resumed) {
                    names.require(this, session.queue(), Subject.queue(queue));
                }
                boolean all = admin.queues().allPausedSince().isPresent();
                report(
                        Map.of("queue", queue, "paused", all, "changed", resumed),
                        "queue " + queue + (resumed ? all ? " is resumed" : " runs again" : " was not paused")
                                + (all ? ", but all queues are paused: pawl resume all" : ""));
                return 0;
            }
        }
    }

    @Command(
            name = "kind",
            mixinStandardHelpOptions = true,
            description = "Let jobs of a kind begin again, whether a person or an outage has paused it.")
    static final class OfKind extends CliCommand {
        @Parameters(paramLabel = "KIND", description = "The kind of the jobs.")
        private String kind = "";

        @Mixin
        private NameOptions names = new NameOptions();

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                boolean resumed = session.queue().limits().resume(Subject.kind(kind));
                if (!resumed) {
                    names.require(this, session.queue(), Subject.kind(kind));
                }
                report(
                        Map.of("kind", kind, "paused", false, "changed", resumed),
                        "kind " + kind + (resumed ? " runs again" : " was not paused"));
                return 0;
            }
        }
    }

    @Command(
            name = "key",
            mixinStandardHelpOptions = true,
            description = "Let jobs with a key begin again, whether a person or an outage has paused it.")
    static final class OfKey extends OneKey {
        @Mixin
        private NameOptions names = new NameOptions();

        @Override
        public Integer call() {
            ConcurrencyKey key = key();
            try (DatabaseOptions.Session session = database().openExisting()) {
                boolean resumed = session.queue().limits().resume(key);
                if (!resumed) {
                    names.requireKey(this, session.queue(), key);
                }
                report(
                        Map.of("queue", key.queue(), "key", key.key(), "paused", false, "changed", resumed),
                        named() + (resumed ? " runs again" : " was not paused"));
                return 0;
            }
        }
    }

    @Command(name = "batch", mixinStandardHelpOptions = true, description = "Let jobs of a paused batch begin again.")
    static final class OfBatch extends OneBatch {
        @Override
        int change(Batch batch) {
            boolean resumed = batch.resume();
            report(
                    JsonForm.object("batchId", batch.id(), "paused", false, "changed", resumed),
                    "batch " + batch.id() + (resumed ? " is resumed" : " was not paused"));
            return 0;
        }
    }

    @Command(name = "schedule", mixinStandardHelpOptions = true, description = "Resume a paused schedule.")
    static final class OfSchedule extends OneSchedule {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                return reportChange(
                        session, session.queue().schedules().resume(name()), " runs again", " was not paused");
            }
        }
    }

    @Command(name = "worker", mixinStandardHelpOptions = true, description = "Have a quiet worker claim jobs again.")
    static final class OfWorker extends OneWorker {
        @Override
        public Integer call() {
            return command(WorkerCommand.WORK, "claims jobs again");
        }
    }

    @Command(
            name = "all",
            mixinStandardHelpOptions = true,
            description = "End the pause of all queues. Those that were paused one by one stay paused.")
    static final class All extends CliCommand {
        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                OptionalInt refusal = bulk.refusal(
                        this,
                        () -> Map.of("all", true, "paused", PauseCommand.areAllPaused(session), "changed", false),
                        () -> PauseCommand.ofAll(session, "this ends the pause of"));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
                boolean resumed = session.queue().admin().queues().resumeAll();
                report(
                        Map.of("all", true, "paused", false, "changed", resumed),
                        resumed
                                ? "all queues run again, except those that were paused one by one"
                                : "there was no pause of all queues");
                return 0;
            }
        }
    }
}
