package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;
import static dev.pawl.cli.Output.Column.words;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.limit.HeldKey;
import dev.pawl.limit.Hold;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "limits",
        mixinStandardHelpOptions = true,
        description = {
            "List the limits: how many jobs of a queue or kind may run at once, start in a period or wait, in the whole cluster,",
            "and what is on hold."
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
        private static final int MAX = 1_000;

        static Held of(List<HeldKey> keys) {
            return new Held(
                    keys.size(),
                    keys.stream().collect(Collectors.groupingBy(HeldKey::queue, TreeMap::new, Collectors.counting())));
        }

        boolean isAll() {
            return keys < MAX;
        }

        @Nullable
        Long of(String queue) {
            return isAll() ? byQueue.getOrDefault(queue, 0L) : null;
        }
    }

    @Option(
            names = "--keys",
            description =
                    "List the keys whose jobs are on hold instead, by hand or because what they need was unavailable; 1000"
                            + " at most.")
    private boolean keys;

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            if (keys) {
                keys(session.queue());
                return 0;
            }
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

    private void keys(JobQueue queue) {
        output().rows(
                        out(),
                        queue.limits().heldKeys(),
                        List.of(
                                name("QUEUE", HeldKey::queue),
                                name("KEY", one -> Texts.cut(one.key())),
                                right("TIMES", one -> one.hold().times()),
                                words("ON HOLD", one -> text(one.hold()))),
                        "no key is on hold");
    }

    private void tellBelow(List<Row> rows, Held held) {
        rows.stream()
                .filter(row -> Boolean.TRUE.equals(row.full))
                .map(row -> row.info.limit())
                .forEach(limit ->
                        out().println("! " + FullQueues.words(limit.subject().name(), limit.maxWaiting())));
        if (held.keys > 0) {
            String words = held.keys == 1 ? "1 key is" : held.keys + (held.isAll() ? "" : " or more") + " keys are";
            out().println(words + " on hold: pawl limits --keys");
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
}
