package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;
import static dev.pawl.cli.Output.Column.words;

import dev.pawl.JobQueue;
import dev.pawl.Limits;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.HeldKey;
import dev.pawl.limit.Hold;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        description = {
            "How many jobs of a queue or kind may run at once, start in a period or wait, in the whole cluster, and what is",
            "on hold. Without a subcommand: the state of all limits."
        },
        subcommands = {
            LimitsCommand.Set.class,
            LimitsCommand.Remove.class,
            LimitsCommand.HoldBack.class,
            LimitsCommand.Open.class,
            LimitsCommand.Keys.class
        })
final class LimitsCommand extends CliCommand {
    /**
     * A limit with values from other tables.
     *
     * @param full whether the queue refuses jobs; null if it never does
     * @param heldKeys how many concurrency keys of the queue are on hold; null if this is not about keys, or there
     *     are too many to count
     */
    private record Row(
            LimitInfo info,
            @Nullable Boolean full,
            @Nullable Long heldKeys) {
        @Nullable
        Integer keysWaiting() {
            return info.limit().subject().of() == Subject.Of.KEYS
                            && info.limit().rate() != null
                    ? info.waiting()
                    : null;
        }

        Map<String, @Nullable Object> asJson() {
            Map<String, @Nullable Object> fields = JsonForm.limit(info);
            fields.put("full", full);
            fields.put("heldKeys", heldKeys);
            return fields;
        }
    }

    /**
     * Concurrency keys that are on hold.
     *
     * @param keys how many are listed, ordered by queue
     */
    private record Held(int keys, Map<String, Long> byQueue) {
        /** Maximum of listed keys. */
        private static final int MOST = 1_000;

        static Held of(List<HeldKey> keys) {
            return new Held(
                    keys.size(),
                    keys.stream().collect(Collectors.groupingBy(HeldKey::queue, TreeMap::new, Collectors.counting())));
        }

        boolean isAll() {
            return keys < MOST;
        }

        @Nullable
        Long of(String queue) {
            return isAll() ? byQueue.getOrDefault(queue, 0L) : null;
        }
    }

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            Held held = Held.of(session.queue().limits().heldKeys());
            List<Row> rows = rows(session.queue(), held);
            output().rows(
                            out(),
                            output().isJson() ? withKeys(rows, held) : rows,
                            List.of(
                                    name(
                                            "LIMIT",
                                            row -> row.info.limit().subject().toString()),
                                    right("AT ONCE", row -> row.info.limit().atOnce()),
                                    right("TOGETHER", row -> row.info.limit().together()),
                                    right("SHARED", row -> row.info.workers() == 0 ? null : row.info.shared()),
                                    right("WORKERS", row -> row.info.workers() == 0 ? null : row.info.workers()),
                                    right("MAX WAITING", row -> row.info.limit().maxWaiting()),
                                    left("STARTS", row -> starts(row.info)),
                                    left("NEXT START", row -> next(row.info)),
                                    right("KEYS WAITING", Row::keysWaiting),
                                    words("ON HOLD", row -> held(row.info))),
                            Row::asJson,
                            "no limits");
            if (!output().isJson()) {
                tellBelow(rows, held);
            }
            return 0;
        }
    }

    private void tellBelow(List<Row> rows, Held held) {
        rows.stream()
                .filter(row -> Boolean.TRUE.equals(row.full))
                .map(row -> row.info.limit())
                .forEach(limit ->
                        out().println("! " + FullQueues.words(limit.subject().name(), limit.maxWaiting())));
        if (held.keys > 0) {
            String words = held.keys == 1 ? "1 key is" : held.keys + (held.isAll() ? "" : " or more") + " keys are";
            out().println(words + " on hold: pawl limits keys");
        }
    }

    /** Counts queues only if one may be full. */
    private static List<Row> rows(JobQueue queue, Held held) {
        List<LimitInfo> limits = queue.limits().list();
        Map<String, QueueStats> queues =
                limits.stream().allMatch(info -> info.limit().maxWaiting() == null)
                        ? Map.of()
                        : queue.admin().queues().list(Admin.UNLIMITED).stream()
                                .collect(Collectors.toMap(QueueStats::name, Function.identity()));
        return limits.stream().map(info -> row(info, queues, held)).toList();
    }

    private static Row row(LimitInfo info, Map<String, QueueStats> queues, Held held) {
        Subject subject = info.limit().subject();
        Integer most = info.limit().maxWaiting();
        QueueStats queue = queues.get(subject.name());
        return new Row(
                info,
                most == null ? null : queue != null && FullQueues.isFull(queue, most),
                subject.of() == Subject.Of.KEYS ? held.of(subject.name()) : null);
    }

    /** {@return the rows, plus one for each queue without a limit whose concurrency keys are on hold} */
    private static List<Row> withKeys(List<Row> rows, Held held) {
        List<Row> all = new ArrayList<>(rows);
        held.byQueue.keySet().forEach(queue -> {
            LimitInfo none = new LimitInfo(Limit.keysOf(queue), 0, 0, 0, null, null);
            if (rows.stream().noneMatch(row -> row.info.limit().subject().equals(Subject.keysOf(queue)))) {
                all.add(new Row(none, null, held.of(queue)));
            }
        });
        return all;
    }

    private static @Nullable String starts(LimitInfo info) {
        Rate rate = info.limit().rate();
        return rate == null ? null : rate.starts() + " in " + Texts.length(rate.per());
    }

    private static @Nullable String next(LimitInfo info) {
        return info.nextStart() == null ? null : Texts.time(info.nextStart());
    }

    private static @Nullable String held(LimitInfo info) {
        return info.hold() == null ? null : text(info.hold());
    }

    private static String text(Hold hold) {
        if (hold.until().isBefore(Instant.now())) {
            return "being tried, one at a time: " + Texts.cut(hold.reason());
        }
        return "held until " + Texts.time(hold.until()) + ", then one at a time: " + Texts.cut(hold.reason());
    }

    /** Base of the commands for one queue or kind. */
    abstract static class OfOne extends CliCommand {
        @Parameters(
                index = "0",
                paramLabel = "queue|kind|keys",
                description = "What the limit applies to: a queue, a kind, or each key of a queue.")
        private String of = "";

        @Parameters(index = "1", paramLabel = "NAME", description = "The name of the queue or kind.")
        private String name = "";

        final Subject subject() {
            return new Subject(Subject.Of.parse(of), name);
        }
    }

    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = "Set a limit, in place of an existing one. Workers learn of it within seconds.")
    static final class Set extends OfOne {
        private static final Pattern RATE = Pattern.compile("([0-9]{1,7})/(.+)");

        @Option(
                names = "--at-once",
                paramLabel = "N",
                description = "At most N jobs run at the same time, 1 to 1000000. Default: any number")
        private @Nullable Integer atOnce;

        @Option(
                names = "--rate",
                paramLabel = "N/DURATION",
                description = "At most N jobs start in any period of DURATION, such as 100/1m: 1 to 1000000, 1s to 31d."
                        + " Default: any number")
        private @Nullable String rate;

        @Option(
                names = "--together",
                paramLabel = "N",
                description = {
                    "For keys: all keys of a queue share N concurrent jobs equally, so that one with many jobs delays no other. Two or",
                    "three times what all workers run at once is a good value; 1 to 10000. Default: keys share nothing"
                })
        private @Nullable Integer together;

        @Option(
                names = "--max-waiting",
                paramLabel = "N",
                description = {
                    "For a queue: enqueues are refused while N jobs wait, delayed ones included; 1 to 10000000. Programs learn of",
                    "it within five seconds. Default: any number"
                })
        private @Nullable Integer maxWaiting;

        @Override
        public Integer call() {
            if (together != null && subject().of() != Subject.Of.KEYS) {
                throw new UsageException("--together is for the keys of a queue: pawl limits set keys QUEUE --together "
                        + together + "; at most so many of a " + subject().of().word() + " at once is --at-once");
            }
            if (maxWaiting != null && subject().of() != Subject.Of.QUEUE) {
                throw new UsageException(
                        "--max-waiting is for a queue: pawl limits set queue QUEUE --max-waiting " + maxWaiting);
            }
            Limit limit = Limit.of(subject())
                    .atOnce(atOnce)
                    .rate(rate == null ? null : rate(rate))
                    .together(together)
                    .maxWaiting(maxWaiting);
            if (!limit.says()) {
                throw new UsageException(
                        "a limit needs --at-once N, --rate N/DURATION, --max-waiting N for a queue, or --together N for keys");
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
                report(limit, subject() + ": " + words(limit) + before);
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
            if (limit.maxWaiting() != null) {
                words.add("at most " + limit.maxWaiting() + " waiting");
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
            return new Rate(
                    Integer.parseInt(matcher.group(1)), Texts.duration("--rate", matcher.group(2), "1s", "31d"));
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
                report(
                        JsonForm.about(subject(), "removed", true, "held", isHeld),
                        "the limit of " + subject() + " is removed"
                                + (isHeld
                                        ? "; its jobs are still on hold: pawl limits open "
                                                + subject().of().word() + " "
                                                + subject().name()
                                        : ""));
                return 0;
            }
        }
    }

    @Command(
            name = "keys",
            mixinStandardHelpOptions = true,
            description =
                    "Keys whose jobs are on hold, by hand or because what they need was unavailable; 1000 at most.")
    static final class Keys extends CliCommand {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                output().rows(
                                out(),
                                session.queue().limits().heldKeys(),
                                List.of(
                                        name("QUEUE", HeldKey::queue),
                                        name("KEY", one -> Texts.cut(one.key())),
                                        right("TIMES", one -> one.hold().times()),
                                        words("ON HOLD", one -> text(one.hold()))),
                                "no key is on hold");
                return 0;
            }
        }
    }

    /** Base of the commands that also accept a concurrency key. */
    abstract static class OfOneOrKey extends OfOne {
        @Option(
                names = "--key",
                paramLabel = "KEY",
                description = "With 'keys QUEUE': only the jobs of this key, 1 to 200 characters")
        private @Nullable String key;

        /** {@return the concurrency key; null for all of a queue or kind} */
        final @Nullable String key() {
            if (key != null && subject().of() != Subject.Of.KEYS) {
                throw new UsageException("--key goes with the keys of a queue: keys QUEUE --key " + Texts.cut(key));
            }
            if (key == null && subject().of() == Subject.Of.KEYS) {
                throw new UsageException("the keys of a queue are put on hold one at a time: name one with --key");
            }
            return key;
        }

        final String named() {
            return key == null ? subject().toString() : "queue " + subject().name() + " with the key " + Texts.cut(key);
        }

        final Object json(String field, Object value) {
            return key == null
                    ? JsonForm.about(subject(), field, value)
                    : JsonForm.object("queue", subject().name(), "key", key, field, value);
        }
    }

    @Command(
            name = "hold",
            mixinStandardHelpOptions = true,
            description = {
                "Put jobs on hold for a time: none starts, running ones continue. Afterwards jobs are tried one at a time, until",
                "one ends without reporting an outage."
            })
    static final class HoldBack extends OfOneOrKey {
        @Option(names = "--for", paramLabel = "DURATION", required = true, description = "For how long, 1ms to 365d.")
        private String length = "";

        @Option(
                names = "--reason",
                paramLabel = "TEXT",
                defaultValue = "held by hand",
                description = "Shown to people. Default: ${DEFAULT-VALUE}")
        private String reason = "";

        @Override
        public Integer call() {
            Duration time = Texts.duration("--for", length, "1ms", "365d");
            try (DatabaseOptions.Session session = database().open(2)) {
                String key = key();
                if (key == null) {
                    session.queue().limits().pause(subject(), time, reason);
                } else {
                    session.queue().limits().pause(new ConcurrencyKey(subject().name(), key), time, reason);
                }
                report(json("heldFor", time), "jobs of " + named() + " are on hold for " + Texts.length(time));
                return 0;
            }
        }
    }

    @Command(
            name = "open",
            mixinStandardHelpOptions = true,
            description = "Release jobs that are on hold, by hand or because what they need was unavailable.")
    static final class Open extends OfOneOrKey {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                String key = key();
                Limits limits = session.queue().limits();
                if (!(key == null
                        ? limits.resume(subject())
                        : limits.resume(new ConcurrencyKey(subject().name(), key)))) {
                    throw new NotFoundException("jobs of " + named() + " are not on hold");
                }
                report(json("held", false), "jobs of " + named() + " go on");
                return 0;
            }
        }
    }
}
