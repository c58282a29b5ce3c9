package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.Limits;
import dev.pawl.limit.Hold;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        description = {
            "How many jobs of a queue or kind may run at once or start in a time, in the whole cluster, and what is held",
            "back. Without a subcommand: how all limits stand."
        },
        subcommands = {
            LimitsCommand.Set.class,
            LimitsCommand.Remove.class,
            LimitsCommand.HoldBack.class,
            LimitsCommand.Open.class
        })
final class LimitsCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            output().rows(
                            out(),
                            session.queue().limits().list(),
                            List.of(
                                    left("LIMIT", info -> info.limit().subject().toString()),
                                    right("AT ONCE", info -> info.limit().atOnce()),
                                    right("TOGETHER", info -> info.limit().together()),
                                    right("SHARED", info -> info.workers() == 0 ? null : info.shared()),
                                    right("WORKERS", info -> info.workers() == 0 ? null : info.workers()),
                                    left("STARTS", LimitsCommand::starts),
                                    left("NEXT START", LimitsCommand::next),
                                    left("HELD BACK", LimitsCommand::held)),
                            LimitsCommand::asJson,
                            "no limits");
            return 0;
        }
    }

    private static @Nullable String starts(LimitInfo info) {
        Rate rate = info.limit().rate();
        return rate == null ? null : rate.starts() + " in " + Texts.length(rate.per());
    }

    private static @Nullable String next(LimitInfo info) {
        return info.nextStart() == null ? null : Texts.time(info.nextStart());
    }

    private static @Nullable String held(LimitInfo info) {
        Hold hold = info.hold();
        if (hold == null) {
            return null;
        }
        if (hold.until().isBefore(Instant.now())) {
            return "being tried, one at a time: " + Texts.cut(hold.reason());
        }
        return "held until " + Texts.time(hold.until()) + ", then one at a time: " + Texts.cut(hold.reason());
    }

    private static Map<String, @Nullable Object> asJson(LimitInfo info) {
        Map<String, @Nullable Object> fields = asJson(info.limit());
        fields.put("shared", info.shared());
        fields.put("workers", info.workers());
        fields.put("waiting", info.waiting());
        fields.put("nextStart", info.nextStart());
        Hold hold = info.hold();
        fields.put("heldUntil", hold == null ? null : hold.until());
        fields.put("unavailable", hold == null ? null : hold.times());
        fields.put("reason", hold == null ? null : hold.reason());
        return fields;
    }

    private static Map<String, @Nullable Object> asJson(Limit limit) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("subject", limit.subject().of().word());
        fields.put("name", limit.subject().name());
        fields.put("atOnce", limit.atOnce());
        fields.put("together", limit.together());
        Rate rate = limit.rate();
        fields.put("starts", rate == null ? null : rate.starts());
        fields.put("per", rate == null ? null : rate.per().toString());
        return fields;
    }

    /** What all that concern one queue or kind share. */
    abstract static class OfOne extends CliCommand {
        @Parameters(
                index = "0",
                paramLabel = "queue|kind|keys",
                description = "What it is about: a queue, a kind, or each key of a queue.")
        private String of = "";

        @Parameters(index = "1", paramLabel = "NAME", description = "Of the queue or kind.")
        private String name = "";

        final Subject subject() {
            return new Subject(Subject.Of.parse(of), name);
        }
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Set a limit, in place of the one that there may be. Workers learn of it within seconds.")
    static final class Set extends OfOne {
        private static final Pattern RATE = Pattern.compile("([0-9]{1,7})/(.+)");

        @Option(names = "--at-once", paramLabel = "N", description = "At most N jobs run at the same time.")
        private @Nullable Integer atOnce;

        @Option(
                names = "--rate",
                paramLabel = "N/TIME",
                description = "At most N jobs start in any span of TIME, such as 100/1m; 1 second to 31 days.")
        private @Nullable String rate;

        @Option(
                names = "--together",
                paramLabel = "N",
                description = {
                    "Of keys: all of a queue share N places equally, so that one with many jobs holds up no other. Two or",
                    "three times what all workers run at once is a good value; 1 to 10000."
                })
        private @Nullable Integer together;

        @Override
        public Integer call() {
            Limit limit = new Limit(subject(), atOnce, rate == null ? null : rate(rate), together);
            if (atOnce == null && rate == null && together == null) {
                throw new UsageException("a limit needs --at-once N, --rate N/TIME or, for keys, --together N");
            }
            try (DatabaseOptions.Session session = database().open(2)) {
                Limits limits = session.queue().limits();
                String before = limits.list().stream()
                        .map(LimitInfo::limit)
                        .filter(one -> one.subject().equals(subject()) && !one.equals(limit))
                        .map(Set::words)
                        .filter(words -> !words.isEmpty())
                        .map(words -> "; before: " + words)
                        .findFirst()
                        .orElse("");
                limits.set(limit);
                tell(asJson(limit), subject() + ": " + words(limit) + before);
                return 0;
            }
        }

        private static String words(Limit limit) {
            List<String> words = new ArrayList<>();
            if (limit.atOnce() != null) {
                words.add("at most " + limit.atOnce() + " at once");
            }
            if (limit.together() != null) {
                words.add("its keys share " + limit.together());
            }
            Rate rate = limit.rate();
            if (rate != null) {
                words.add("at most " + rate.starts() + " starts in " + Texts.length(rate.per()));
            }
            return String.join(", ", words);
        }

        private static Rate rate(String text) {
            Matcher matcher = RATE.matcher(text);
            if (!matcher.matches()) {
                throw new UsageException("--rate " + Texts.cut(text)
                        + " is not a rate: write the number of starts and a time, as in 100/1m");
            }
            return new Rate(Integer.parseInt(matcher.group(1)), Texts.duration("--rate", matcher.group(2)));
        }
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Remove a limit.")
    static final class Remove extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().limits().remove(subject())) {
                    throw new NotFoundException(subject() + " has no limit");
                }
                boolean isHeld = session.queue().limits().list().stream()
                        .anyMatch(info -> info.limit().subject().equals(subject()) && info.hold() != null);
                tell(
                        Map.of("limit", subject().toString(), "removed", true, "held", isHeld),
                        "the limit of " + subject() + " is removed"
                                + (isHeld
                                        ? "; its jobs are still held back: pawl limits open "
                                                + subject().of().word() + " "
                                                + subject().name()
                                        : ""));
                return 0;
            }
        }
    }

    @Command(
            name = "hold",
            mixinStandardHelpOptions = true,
            description = {
                "Hold jobs back for a time: none starts, what runs goes on. Afterwards one at a time is tried, until one ends",
                "without finding that what it needs is unavailable."
            })
    static final class HoldBack extends OfOne {
        @Option(names = "--for", paramLabel = "TIME", required = true, description = "Such as 10m or 2h, up to a year.")
        private String length = "";

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                defaultValue = "held back by hand",
                description = "Shown to people. Default: ${DEFAULT-VALUE}")
        private String reason = "";

        @Override
        public Integer call() {
            Duration time = Texts.duration("--for", length);
            try (DatabaseOptions.Session session = database().open(2)) {
                session.queue().limits().hold(subject(), time, reason);
                tell(
                        Map.of("limit", subject().toString(), "heldFor", time.toString()),
                        "jobs of " + subject() + " are held back for " + Texts.length(time));
                return 0;
            }
        }
    }

    @Command(
            name = "open",
            mixinStandardHelpOptions = true,
            description = "Let jobs go on that are held back, by hand or because what they need was unavailable.")
    static final class Open extends OfOne {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().limits().open(subject())) {
                    throw new NotFoundException("jobs of " + subject() + " are not held back");
                }
                tell(Map.of("limit", subject().toString(), "held", false), "jobs of " + subject() + " go on");
                return 0;
            }
        }
    }
}
