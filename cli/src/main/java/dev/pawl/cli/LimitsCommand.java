package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.name;
import static dev.pawl.cli.Output.Column.right;
import static dev.pawl.cli.Output.Column.words;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.PausedKey;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
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
            "and what is paused."
        })
final class LimitsCommand extends CliCommand {
    /**
     * A limit with values from other tables.
     *
     * @param full whether the queue refuses jobs; null if it never does
     * @param pausedKeys number of paused concurrency keys of the queue; null if this is not about keys, or there are
     *     too many to count
     */
    private record Row(
            LimitInfo info,
            @Nullable Boolean full,
            @Nullable Long pausedKeys) {
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
            fields.put("pausedKeys", pausedKeys);
            return fields;
        }
    }

    /**
     * Concurrency keys that are paused.
     *
     * @param keys number listed
     * @param byQueue count per queue
     */
    private record PausedKeys(int keys, Map<String, Long> byQueue) {
        /** Maximum number of listed keys. */
        private static final int MAX = 1_000;

        static PausedKeys of(List<PausedKey> keys) {
            return new PausedKeys(
                    keys.size(),
                    keys.stream()
                            .collect(Collectors.groupingBy(PausedKey::queue, TreeMap::new, Collectors.counting())));
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
            description = "List paused keys instead of limits: paused by a user or after an outage; 1000 at most.")
    private boolean keys;

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            if (keys) {
                keys(session.queue());
                return 0;
            }
            PausedKeys paused = PausedKeys.of(session.queue().limits().pausedKeys());
            List<Row> rows = rows(session.queue(), paused);
            output().rows(
                            out(),
                            output().isJson() ? withKeys(rows, paused) : rows,
                            List.of(
                                    name(
                                            "LIMIT",
                                            row -> row.info.limit().subject().toString()),
                                    right(
                                            "MAX CONCURRENCY",
                                            row -> row.info.limit().atOnce()),
                                    right("MAX SHARED", row -> row.info.limit().together()),
                                    right("ALLOCATED", row -> row.info.workers() == 0 ? null : row.info.shared()),
                                    right("WORKERS", row -> row.info.workers() == 0 ? null : row.info.workers()),
                                    right("MAX WAITING", row -> row.info.limit().maxWaiting()),
                                    left("STARTS", row -> starts(row.info)),
                                    left("NEXT START", row -> next(row.info)),
                                    right("KEYS WAITING", Row::keysWaiting),
                                    words("PAUSED", row -> pause(row.info))),
                            Row::asJson,
                            "no limits");
            if (!output().isJson()) {
                printNotes(rows, paused);
            }
            return 0;
        }
    }

    private void keys(JobQueue queue) {
        output().rows(
                        out(),
                        queue.limits().pausedKeys(),
                        List.of(
                                name("QUEUE", PausedKey::queue),
                                name("KEY", one -> Texts.cut(one.key())),
                                right("OUTAGES", one -> one.pause().times()),
                                words("PAUSED", one -> text(one.pause()))),
                        "no key is paused");
    }

    private void printNotes(List<Row> rows, PausedKeys paused) {
        rows.stream()
                .filter(row -> Boolean.TRUE.equals(row.full))
                .map(row -> row.info.limit())
                .forEach(limit ->
                        out().println("! " + FullQueues.words(limit.subject().name(), limit.maxWaiting())));
        if (paused.keys > 0) {
            String words =
                    paused.keys == 1 ? "1 key is" : paused.keys + (paused.isAll() ? "" : " or more") + " keys are";
            out().println(words + " paused: pawl limits --keys");
        }
    }

    /** Reads queue statistics only if a queue may be full. */
    private static List<Row> rows(JobQueue queue, PausedKeys paused) {
        List<LimitInfo> limits = queue.limits().list();
        Map<String, QueueStats> queues =
                limits.stream().allMatch(info -> info.limit().maxWaiting() == null)
                        ? Map.of()
                        : queue.admin().queues().list(Admin.UNLIMITED).stream()
                                .collect(Collectors.toMap(QueueStats::name, Function.identity()));
        return limits.stream().map(info -> row(info, queues, paused)).toList();
    }

    private static Row row(LimitInfo info, Map<String, QueueStats> queues, PausedKeys paused) {
        Subject subject = info.limit().subject();
        Integer most = info.limit().maxWaiting();
        QueueStats queue = queues.get(subject.name());
        return new Row(
                info,
                most == null ? null : queue != null && FullQueues.isFull(queue, most),
                subject.of() == Subject.Of.KEYS ? paused.of(subject.name()) : null);
    }

    /** {@return the rows, plus one for each queue that has paused keys but no limit on its keys} */
    private static List<Row> withKeys(List<Row> rows, PausedKeys paused) {
        List<Row> all = new ArrayList<>(rows);
        paused.byQueue.keySet().forEach(queue -> {
            LimitInfo none = new LimitInfo(Limit.keysOf(queue), 0, 0, 0, null, null);
            if (rows.stream().noneMatch(row -> row.info.limit().subject().equals(Subject.keysOf(queue)))) {
                all.add(new Row(none, null, paused.of(queue)));
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

    private static @Nullable String pause(LimitInfo info) {
        return info.pause() == null ? null : text(info.pause());
    }

    private static String text(Pause pause) {
        if (pause.expired()) {
            return "being tried, one at a time: " + Texts.cut(pause.reason());
        }
        return "until " + Texts.time(pause.until()) + ", then one at a time: " + Texts.cut(pause.reason());
    }
}
