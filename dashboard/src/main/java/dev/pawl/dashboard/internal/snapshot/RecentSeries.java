package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.spi.QueueSample;
import dev.pawl.spi.RunLengths;
import dev.pawl.spi.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Recent history of queues, from the samples in the database; each span is queried once for all viewers. Thread-safe. */
public final class RecentSeries {
    /** Maximum points of a line; more would not be visible. */
    private static final int MAX_POINTS = 180;

    private final Map<Span, Cached<Series>> spans = new EnumMap<>(Span.class);

    /** Time spans of charts. */
    public enum Span {
        /** An hour, in steps of ten seconds. */
        HOUR(Duration.ofHours(1)),
        /** Three hours, for which all samples are kept. */
        HOURS(Duration.ofHours(3)),
        /** A day, in steps of five minutes. */
        DAY(Duration.ofDays(1)),
        /** A week, from samples five minutes apart. */
        WEEK(Duration.ofDays(7));

        private final Duration length;

        Span(Duration length) {
            this.length = length;
        }

        /** {@return its length} */
        public Duration length() {
            return length;
        }

        /** {@return its name for people} */
        public String words() {
            return switch (this) {
                case HOUR -> "the last hour";
                case HOURS -> "the last three hours";
                case DAY -> "the last day, one every five minutes";
                case WEEK -> "the last week, one every five minutes";
            };
        }

        /** {@return its name in URLs} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The samples of a span.
     *
     * @param samples thinned out, oldest first
     * @param byQueue the same by queue, one value per sample; zero where a queue was missing
     */
    public record Series(List<Sample> samples, Map<String, List<QueueSample>> byQueue) {}

    RecentSeries(dev.pawl.spi.Series taken) {
        for (Span span : Span.values()) {
            spans.put(span, new Cached<>(() -> series(taken.last(span.length)), System::nanoTime));
        }
    }

    /** {@return the samples of a span} */
    public Series of(Span span) {
        return Objects.requireNonNull(spans.get(span)).get();
    }

    /** {@return the span that the parameter {@code span} names; default an hour} */
    public static Span span(Call call) {
        String word = Objects.requireNonNullElse(call.parameter("span"), Span.HOUR.word());
        return Stream.of(Span.values())
                .filter(span -> span.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new Refusal(400, "'" + word + "' is not a span: use hour, hours, day or week"));
    }

    private static Series series(List<Sample> all) {
        int each = Math.max(1, (all.size() + MAX_POINTS - 1) / MAX_POINTS);
        List<Sample> samples = new ArrayList<>();
        for (int from = 0; from < all.size(); from += each) {
            samples.add(joined(all.subList(from, Math.min(all.size(), from + each))));
        }
        Map<String, List<QueueSample>> byQueue = new HashMap<>();
        for (int i = 0; i < samples.size(); i++) {
            for (QueueSample queue : samples.get(i).queues()) {
                List<QueueSample> line = byQueue.computeIfAbsent(queue.queue(), name -> new ArrayList<>());
                while (line.size() < i) {
                    line.add(none(queue.queue()));
                }
                line.add(queue);
            }
        }
        byQueue.forEach((name, line) -> {
            while (line.size() < samples.size()) {
                line.add(none(name));
            }
        });
        return new Series(samples, byQueue);
    }

    /** {@return the value for a queue missing from a sample} */
    public static QueueSample none(String queue) {
        return new QueueSample(queue, 0, 0, 0, 0, null, 0, 0);
    }

    /** Merges neighbouring samples into one with the state of the last sample and the sum of the finished jobs. */
    private static Sample joined(List<Sample> samples) {
        Sample last = samples.get(samples.size() - 1);
        if (samples.size() == 1) {
            return last;
        }
        Duration span = Duration.ZERO;
        Map<String, QueueSample> queues = new HashMap<>();
        List<RunLengths> runs = new ArrayList<>();
        for (Sample sample : samples) {
            runs.addAll(sample.runs());
            span = span.plus(sample.span());
            boolean isLast = sample.equals(last);
            for (QueueSample queue : sample.queues()) {
                queues.merge(queue.queue(), isLast ? queue : ended(queue), (one, other) -> sum(one, other));
            }
        }
        return new Sample(last.at(), span, List.copyOf(queues.values()), RunLengths.byKind(runs));
    }

    private static QueueSample ended(QueueSample queue) {
        return new QueueSample(queue.queue(), 0, 0, 0, 0, null, queue.completed(), queue.discarded());
    }

    private static QueueSample sum(QueueSample before, QueueSample next) {
        return new QueueSample(
                next.queue(),
                next.available(),
                next.delayed(),
                next.retrying(),
                next.running(),
                next.oldestAge(),
                before.completed() + next.completed(),
                before.discarded() + next.discarded());
    }
}
