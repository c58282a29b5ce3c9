package dev.pawl.dashboard.alert;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A condition to alert on. Immutable.
 *
 * @param condition the condition
 * @param queue the queue that the rule is limited to; null for all queues. Always null for stalled jobs and schedules
 * @param age for {@link Condition#OLDEST}: how long a job may wait; otherwise zero
 * @param number for {@link Condition#DISCARDED}: number of jobs, for {@link Condition#FAILING}: percentage; otherwise 0
 */
public record AlertRule(Condition condition, @Nullable String queue, Duration age, int number) {
    /** The period over which finished jobs are counted. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Pattern BRIEF = Pattern.compile("([0-9]{1,6})([smhd])");

    /** Conditions of rules. */
    public enum Condition {
        /** A job of a queue that is not paused has been waiting longer than an age. */
        OLDEST,
        /**
         * At least this percentage of a queue's jobs that finished within ten minutes was discarded, and at least ten jobs finished.
         * Completed jobs count only if they are kept.
         */
        FAILING,
        /** At least this many jobs of a queue were discarded within ten minutes. */
        DISCARDED,
        /** A run takes far longer than other runs of its kind. */
        STALLED,
        /** A schedule was not processed when it was due. */
        OVERDUE,
        /** Jobs without a live worker for their kind have been waiting for a minute. */
        NO_WORKER
    }

    /** @throws IllegalArgumentException if a value is not valid, or a rule for stalled jobs or schedules names a queue */
    public AlertRule {
        boolean isValid = switch (condition) {
            case OLDEST -> !age.isNegative() && !age.isZero();
            case FAILING -> number >= 1 && number <= 100;
            case DISCARDED -> number >= 1;
            default -> true;
        };
        boolean hasQueues = condition != Condition.STALLED && condition != Condition.OVERDUE;
        if (queue != null && (queue.isEmpty() || !hasQueues)) {
            throw new IllegalArgumentException("the rule for alerts " + words(condition) + ":" + queue
                    + " is not valid: "
                    + (hasQueues ? "name the queue" : "it is for all queues") + "; rules are oldest=PT10M, failing=20%,"
                    + " discarded=5, stalled, overdue and no-worker");
        }
        if (!isValid) {
            throw new IllegalArgumentException(
                    "the rule for alerts " + words(condition)
                            + " has no valid value: oldest takes an age such as PT10M, failing 1 to 100 percent, discarded 1 job or more");
        }
    }

    /**
     * Parses the format of {@link #toString}: {@code oldest=PT10M}, {@code failing=20%}, {@code discarded=5},
     * {@code stalled}, {@code overdue} or {@code no-worker}; for one queue {@code oldest:mail=PT10M}. Ages may also be
     * written as {@code 90s}, {@code 10m}, {@code 2h} or {@code 1d}.
     *
     * @param text a rule
     * @return the rule
     * @throws IllegalArgumentException if it is malformed
     */
    public static AlertRule parse(String text) {
        int equals = text.indexOf('=');
        String head = equals < 0 ? text : text.substring(0, equals);
        String value = equals < 0 ? "" : text.substring(equals + 1).strip();
        int colon = head.indexOf(':');
        String queue = colon < 0 ? null : head.substring(colon + 1).strip();
        String word = (colon < 0 ? head : head.substring(0, colon)).strip();
        try {
            return switch (word) {
                case "oldest" -> new AlertRule(Condition.OLDEST, queue, age(value), 0);
                case "failing" ->
                    new AlertRule(Condition.FAILING, queue, Duration.ZERO, Integer.parseInt(value.replace("%", "")));
                case "discarded" -> new AlertRule(Condition.DISCARDED, queue, Duration.ZERO, Integer.parseInt(value));
                case "no-worker" -> withoutValue(Condition.NO_WORKER, queue, text);
                case "stalled" -> withoutValue(Condition.STALLED, queue, text);
                case "overdue" -> withoutValue(Condition.OVERDUE, queue, text);
                default -> throw unknown(text);
            };
        } catch (DateTimeParseException | NumberFormatException e) {
            throw unknown(text);
        }
    }

    private static AlertRule withoutValue(Condition condition, @Nullable String queue, String text) {
        if (text.contains("=")) {
            throw unknown(text);
        }
        return new AlertRule(condition, queue, Duration.ZERO, 0);
    }

    /** Parses ISO 8601 or the short form: 90s, 10m, 2h, 1d. */
    private static Duration age(String text) {
        Matcher brief = BRIEF.matcher(text);
        if (!brief.matches()) {
            return Duration.parse(text);
        }
        long number = Long.parseLong(brief.group(1));
        return switch (brief.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("'" + text + "' is not a rule for alerts: use oldest=PT10M, failing=20%,"
                + " discarded=5, stalled, overdue or no-worker; for one queue, such as oldest:mail=PT10M");
    }

    private static String words(Condition condition) {
        return condition.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return whether the rule applies to this queue} */
    public boolean concerns(String name) {
        return queue == null || queue.equals(name);
    }

    /** {@return the rule, as {@link #parse} reads it} */
    @Override
    public String toString() {
        String of = queue == null ? "" : ":" + queue;
        return switch (condition) {
            case OLDEST -> "oldest" + of + "=" + age;
            case FAILING -> "failing" + of + "=" + number + "%";
            case DISCARDED -> "discarded" + of + "=" + number;
            case STALLED -> "stalled";
            case OVERDUE -> "overdue";
            case NO_WORKER -> "no-worker" + of;
        };
    }
}
