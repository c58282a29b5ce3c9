package dev.pawl.dashboard.internal.page;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Problems of the whole queue that have the same cause.
 *
 * @param cause of all of them
 * @param points the first of them; at least one
 * @param more how many more there are
 * @param isAtLeast whether there may be even more
 */
public record Incident(Cause cause, List<Point> points, int more, boolean isAtLeast) {
    /** Maximum number of points shown of one cause. */
    private static final int MAX = 30;

    /** How bad a problem is. */
    public enum Severity {
        /** Jobs that should run do not. */
        CRITICAL,
        /** A person should look into it soon. */
        WARNING,
        /** It is over, or it is no fault of the queue. */
        NOTICE
    }

    /** What is wrong, in the order in which pages list it. */
    public enum Cause {
        /** The pages, and the other problems on them, are read from a replica that is behind. */
        REPLICA(Severity.WARNING, "replicas are behind"),
        /** No worker of any queue is alive. */
        NO_WORKER(Severity.CRITICAL, "jobs wait, and no worker is alive"),
        /** No live worker handles the kind of some waiting jobs. */
        UNATTENDED(Severity.CRITICAL, "kinds of jobs wait without a worker"),
        /** Workers that hold jobs are silent. */
        SILENT_WORKER(Severity.CRITICAL, "workers have gone silent while they hold jobs"),
        /** Schedules that no live worker processes. */
        OVERDUE(Severity.CRITICAL, "schedules are overdue"),
        /** All queues are paused. */
        ALL_PAUSED(Severity.WARNING, "all queues are paused"),
        /** Single queues are paused. */
        QUEUE_PAUSED(Severity.WARNING, "queues with waiting jobs are paused"),
        /** A kind, a queue or a queue's keys are paused for a time. */
        SUBJECT_PAUSED(Severity.WARNING, "queues or kinds are paused for a time"),
        /** Available jobs wait too long. */
        OLD(Severity.WARNING, "queues have jobs that wait too long"),
        /** Runs that take far longer than usual. */
        STALLED(Severity.WARNING, "runs take far longer than usual"),
        /** Remote workers that get no jobs. */
        REMOTE_WORKER(Severity.WARNING, "remote workers get no jobs"),
        /** Jobs failed for good. */
        DISCARDED(Severity.NOTICE, "queues had jobs discarded in the last 24 hours");

        private final Severity severity;
        private final String several;

        Cause(Severity severity, String several) {
            this.severity = severity;
            this.several = several;
        }

        /** {@return how bad it is} */
        public Severity severity() {
            return severity;
        }
    }

    /**
     * A button that resolves a problem.
     *
     * @param path of the change
     * @param label of the button
     * @param about what the change is about, for screen readers
     * @param values of its form
     */
    public record Action(String path, String label, String about, Map<String, String> values) {}

    /**
     * A problem.
     *
     * @param cause of it
     * @param text its description
     * @param since when it began; null if that is unknown
     * @param path of the page with details
     * @param parameters of that page
     * @param action the change that ends it; null if there is none
     */
    public record Point(
            Cause cause,
            String text,
            @Nullable Instant since,
            String path,
            Map<String, String> parameters,
            @Nullable Action action) {
        static Point of(Cause cause, String text, @Nullable Instant since, String path) {
            return new Point(cause, text, since, path, Map.of(), null);
        }

        Point with(String name, String value) {
            return with(Map.of(name, value));
        }

        Point with(Map<String, String> values) {
            return new Point(cause, text, since, path, values, action);
        }

        Point with(Action change) {
            return new Point(cause, text, since, path, parameters, change);
        }
    }

    /** {@return the points of one cause as an incident} */
    static Incident of(Cause cause, List<Point> points, boolean isAtLeast) {
        int shown = Math.min(MAX, points.size());
        return new Incident(cause, List.copyOf(points.subList(0, shown)), points.size() - shown, isAtLeast);
    }

    /** {@return whether it has only one point, whose text replaces the title} */
    public boolean isOne() {
        return points.size() + more == 1 && !isAtLeast;
    }

    /** {@return the number of its points and what they have in common} */
    public String title() {
        return (isAtLeast ? "at least " : "") + Formats.number(points.size() + more) + " " + cause.several;
    }

    /** {@return when the first of them began; null if that is unknown} */
    public @Nullable Instant since() {
        return points.stream()
                .map(Point::since)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** {@return the word for its severity, which is also a CSS class} */
    public String severity() {
        return Formats.word(cause.severity);
    }
}
