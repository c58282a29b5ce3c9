package dev.pawl.internal.watch;

import dev.pawl.internal.store.JsonScanner;
import dev.pawl.internal.store.RunTimes;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of all queues as JSON: {@code {"queues":{"mail":{"available":2,"running":1}},"runs":{…}}}. Numbers that are 0 are left
 * out, and so are runs if none ended. {@link RunTimes} describes the runs. Fields that a newer program adds are skipped.
 */
final class SampleText {
    private static final int MAX_QUEUES = 100;

    private SampleText() {}

    /**
     * The content of a sample.
     *
     * @param queues the queues with their numbers, by name
     * @param runs how long runs took, by kind
     */
    record Stats(List<QueueSample> queues, List<RunLengths> runs) {}

    static String of(List<QueueSample> queues, List<RunLengths> runs) {
        StringBuilder json = new StringBuilder("{\"queues\":{");
        int empty = json.length();
        queues.stream()
                .sorted(Comparator.comparingLong((QueueSample queue) ->
                                queue.waiting() + queue.running() + queue.completed() + queue.discarded())
                        .reversed())
                .limit(MAX_QUEUES)
                .sorted(Comparator.comparing(QueueSample::queue))
                .forEach(queue -> append(json.append(json.length() == empty ? "\"" : ",\""), queue));
        json.append('}');
        String ended = RunText.of(runs);
        return (ended == null ? json : json.append(",\"runs\":").append(ended))
                .append('}')
                .toString();
    }

    private static void append(StringBuilder json, QueueSample queue) {
        Duration age = queue.oldestAge();
        json.append(queue.queue()).append("\":{");
        int empty = json.length();
        append(json, empty, "available", queue.available());
        append(json, empty, "delayed", queue.delayed());
        append(json, empty, "retrying", queue.retrying());
        append(json, empty, "running", queue.running());
        if (age != null) {
            field(json, empty, "oldest_ms").append(Math.max(0, age.toMillis()));
        }
        append(json, empty, "completed", queue.completed());
        append(json, empty, "discarded", queue.discarded());
        json.append('}');
    }

    private static void append(StringBuilder json, int empty, String name, long number) {
        if (number != 0) {
            field(json, empty, name).append(number);
        }
    }

    private static StringBuilder field(StringBuilder json, int empty, String name) {
        return json.append(json.length() == empty ? "\"" : ",\"").append(name).append("\":");
    }

    /** {@return the sample, without values that cannot be read} */
    static Stats read(String json) {
        List<QueueSample> queues = new ArrayList<>();
        Map<String, long[]> runs = new TreeMap<>();
        JsonScanner scanner = new JsonScanner(json);
        try {
            scanner.object(part -> {
                switch (part) {
                    case "queues" -> scanner.object(name -> queues.add(queue(scanner, name)));
                    case "runs" -> RunTimes.read(scanner, runs);
                    default -> scanner.skip();
                }
            });
        } catch (IllegalArgumentException notOurs) {
            return new Stats(queues, RunText.lengths(runs)); // a chart without this part is acceptable
        }
        return new Stats(queues, RunText.lengths(runs));
    }

    private static QueueSample queue(JsonScanner scanner, String name) {
        Numbers numbers = new Numbers();
        scanner.object(field -> {
            switch (field) {
                case "available" -> numbers.available = scanner.number();
                case "delayed" -> numbers.delayed = scanner.number();
                case "retrying" -> numbers.retrying = scanner.number();
                case "running" -> numbers.running = scanner.number();
                case "oldest_ms" -> numbers.oldestAge = Duration.ofMillis(scanner.number());
                case "completed" -> numbers.completed = scanner.number();
                case "discarded" -> numbers.discarded = scanner.number();
                default -> scanner.skip();
            }
        });
        return new QueueSample(
                name,
                numbers.available,
                numbers.delayed,
                numbers.retrying,
                numbers.running,
                numbers.oldestAge,
                numbers.completed,
                numbers.discarded);
    }

    /** The numbers of a queue while they are read. */
    private static final class Numbers {
        private long available;
        private long delayed;
        private long retrying;
        private long running;
        private @Nullable Duration oldestAge;
        private long completed;
        private long discarded;
    }
}
