package dev.pawl.cli;

import dev.pawl.Batch;
import dev.pawl.api.PawlException;
import dev.pawl.api.WorkerCommand;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Pause a queue, kind, key, batch, schedule or worker, or all queues.",
        subcommands = {
            PauseCommand.OfQueue.class,
            PauseCommand.OfKind.class,
            PauseCommand.OfKey.class,
            PauseCommand.OfBatch.class,
            PauseCommand.OfSchedule.class,
            PauseCommand.OfWorker.class,
            PauseCommand.All.class
        })
final class PauseCommand {
    private static final String THEN =
            "Afterwards jobs are tried one at a time, until one ends without reporting an outage.";

    /** The reason that is shown for a pause. */
    private static final class Reason {
        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                description = "The reason, shown with the pause. Default: by an operator")
        private @Nullable String reason;

        String text() {
            return reason == null ? "by an operator" : reason;
        }

        boolean isGiven() {
            return reason != null;
        }
    }

    /** {@return the extent of a change of all queues; without a count if the database does not answer} */
    static BulkOptions.Extent ofAll(DatabaseOptions.Session session, String effect) {
        String queues;
        try {
            int count =
                    new KnownNames(session.queue()).waitingQueues(queue -> true).size();
            queues = String.format(Locale.ROOT, "all queues, of which %,d have jobs", count);
        } catch (SQLException | PawlException failing) {
            queues = "all queues";
        }
        return new BulkOptions.Extent(1, effect + " " + queues + ", and queues created later");
    }

    /** {@return whether all queues are paused now} */
    static boolean areAllPaused(DatabaseOptions.Session session) {
        return session.queue().admin().queues().allPausedSince().isPresent();
    }

    private static Duration duration(String text) {
        return Texts.duration("--for", text, "1ms", "365d");
    }

    @Command(
            name = "queue",
            mixinStandardHelpOptions = true,
            description = {"Claim no more jobs from a queue, on all workers. Running jobs go on.", "With --for: " + THEN
            })
    static final class OfQueue extends CliCommand {
        @Parameters(paramLabel = "QUEUE", description = "The queue's name.")
        private String queue = "";

        @Option(
                names = "--for",
                paramLabel = "DURATION",
                description = "For how long, 1ms to 365d. Default: until 'pawl resume queue'")
        private @Nullable String length;

        @Mixin
        private Reason reason = new Reason();

        @Mixin
        private NameOptions names = new NameOptions();

        @Override
        public Integer call() {
            if (length == null && reason.isGiven()) {
                throw new UsageException("--reason needs --for");
            }
            try (DatabaseOptions.Session session = database().openExisting()) {
                names.require(this, session.queue(), Subject.queue(queue));
                if (length != null) {
                    Duration duration = duration(length);
                    session.queue().limits().pause(Subject.queue(queue), duration, reason.text());
                    report(
                            JsonForm.about(Subject.queue(queue), "pausedFor", duration),
                            "queue " + queue + " is paused for " + Texts.length(duration));
                    return 0;
                }
                session.queue().admin().queues().pause(queue);
                report(Map.of("queue", queue, "paused", true), "queue " + queue + " is paused");
                return 0;
            }
        }
    }

    @Command(
            name = "kind",
            mixinStandardHelpOptions = true,
            description = {"Begin no jobs of a kind for a time. Running jobs go on.", THEN})
    static final class OfKind extends CliCommand {
        @Parameters(paramLabel = "KIND", description = "The kind of the jobs.")
        private String kind = "";

        @Option(names = "--for", paramLabel = "DURATION", required = true, description = "For how long, 1ms to 365d.")
        private String length = "";

        @Mixin
        private Reason reason = new Reason();

        @Mixin
        private NameOptions names = new NameOptions();

        @Override
        public Integer call() {
            Duration duration = duration(length);
            try (DatabaseOptions.Session session = database().openExisting()) {
                names.require(this, session.queue(), Subject.kind(kind));
                session.queue().limits().pause(Subject.kind(kind), duration, reason.text());
                report(
                        JsonForm.about(Subject.kind(kind), "pausedFor", duration),
                        "kind " + kind + " is paused for " + Texts.length(duration));
                return 0;
            }
        }
    }

    @Command(
            name = "key",
            mixinStandardHelpOptions = true,
            description = {"Begin no jobs with a key for a time. Running jobs and other keys go on.", THEN})
    static final class OfKey extends OneKey {
        @Option(names = "--for", paramLabel = "DURATION", required = true, description = "For how long, 1ms to 365d.")
        private String length = "";

        @Mixin
        private Reason reason = new Reason();

        @Mixin
        private NameOptions names = new NameOptions();

        @Override
        public Integer call() {
            Duration duration = duration(length);
            ConcurrencyKey key = key();
            try (DatabaseOptions.Session session = database().openExisting()) {
                names.requireKey(this, session.queue(), key);
                session.queue().limits().pause(key, duration, reason.text());
                report(
                        JsonForm.object("queue", key.queue(), "key", key.key(), "pausedFor", duration),
                        named() + " is paused for " + Texts.length(duration));
                return 0;
            }
        }
    }

    @Command(
            name = "batch",
            mixinStandardHelpOptions = true,
            description = "Begin no more jobs of a batch. Workers learn of it within five seconds. Running jobs go"
                    + " on, and so do the batches within it, except the nodes of a workflow.")
    static final class OfBatch extends OneBatch {
        @Override
        int change(Batch batch) {
            batch.pause();
            report(
                    JsonForm.object("batchId", batch.id(), "paused", true),
                    "batch " + batch.id() + " is paused: 'pawl resume batch " + batch.id() + "' lets it go on");
            return 0;
        }
    }

    @Command(
            name = "schedule",
            mixinStandardHelpOptions = true,
            description = "Stop a schedule until it is resumed; ticks in between are not made up for.")
    static final class OfSchedule extends OneSchedule {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                return reportChange(
                        session, session.queue().schedules().pause(name()), " is paused", " was paused already");
            }
        }
    }

    @Command(
            name = "worker",
            mixinStandardHelpOptions = true,
            description = "Have a worker claim no more jobs; it still runs those it has. It is shown as quiet.")
    static final class OfWorker extends OneWorker {
        @Override
        public Integer call() {
            return command(WorkerCommand.QUIET, "claims no more jobs");
        }
    }

    @Command(
            name = "all",
            mixinStandardHelpOptions = true,
            description = {
                "Claim no more jobs from any queue, including queues that are created later. Running jobs go on, and schedules",
                "go on enqueueing."
            })
    static final class All extends CliCommand {
        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                OptionalInt refusal = bulk.refusal(
                        this,
                        () -> Map.of("all", true, "paused", areAllPaused(session)),
                        () -> ofAll(session, "this pauses"));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
                session.queue().admin().queues().pauseAll();
                report(Map.of("all", true, "paused", true), "all queues are paused: pawl resume all");
                return 0;
            }
        }
    }
}
