package dev.pawl.dashboard.alert;

import dev.pawl.InvalidJobException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What to look for. Immutable.
 *
 * @param what kind of rule
 * @param queue only this one; null for all. Not for stalled jobs and schedules
 * @param age for {@link What#OLDEST}: how long a job may wait; else zero
 * @param number for {@link What#DISCARDED}: how many jobs, for {@link What#FAILING}: how many percent; else 0
 */
public record AlertRule(What what, @Nullable String queue, Duration age, int number) {
    /** Over which time ended jobs are counted. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Pattern BRIEF = Pattern.compile("([0-9]{1,6})([smhd])");

    /** Kinds of rules. */
    public enum What {
        /** A job of a queue that is not paused has waited for longer than an age. */
        OLDEST,
        /** Of the jobs of a queue that ended in ten minutes, and there are ten at least, so many percent have failed for good. */
        FAILING,
        /** So many jobs of a queue have failed for good in ten minutes. */
        DISCARDED,
        /** A run takes far longer than others of its kind. */
        STALLED,
        /** A schedule has not been seen to when it was due. */
        OVERDUE,
        /** Jobs wait for a minute that no live worker handles. */
        NO_WORKER
    }

    /** @throws InvalidJobException if a value is outside its range */
    public AlertRule {
        boolean isValid = switch (what) {
            case OLDEST -> !age.isNegative() && !age.isZero();
            case FAILING -> number >= 1 && number <= 100;
            case DISCARDED -> number >= 1;
            default -> true;
        };
        if (!isValid) {
            throw new InvalidJobException(
                    "the rule for alerts " + what.name().toLowerCase(Locale.ROOT)
                            + " has no valid value: oldest takes an age such as PT10M, failing 1 to 100 percent, discarded 1 job or more");
        }
    }

    /**
     * Reads what {@link #toString} writes: {@code oldest=PT10M}, {@code failing=20%}, {@code discarded=5}, {@code stalled},
     * {@code overdue} or {@code no-worker}; of one queue {@code oldest:mail=PT10M}. Ages may also be written {@code 90s}, {@code 10m}, {@code 2h}
     * or {@code 1d}.
     *
     * @param text a rule
     * @return the rule
     * @throws InvalidJobException if it is none
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
                case "oldest" -> new AlertRule(What.OLDEST, queue, age(value), 0);
                case "failing" ->
                    new AlertRule(What.FAILING, queue, Duration.ZERO, Integer.parseInt(value.replace("%", "")));
                case "discarded" -> new AlertRule(What.DISCARDED, queue, Duration.ZERO, Integer.parseInt(value));
                case "no-worker" -> new AlertRule(What.NO_WORKER, queue, Duration.ZERO, 0);
                case "stalled" -> new AlertRule(What.STALLED, null, Duration.ZERO, 0);
                case "overdue" -> new AlertRule(What.OVERDUE, null, Duration.ZERO, 0);
                default -> throw unknown(text);
            };
        } catch (DateTimeParseException | NumberFormatException e) {
            throw unknown(text);
        }
    }

    /** As in ISO 8601, or as people write it: 90s, 10m, 2h, 1d. */
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

    private static InvalidJobException unknown(String text) {
        return new InvalidJobException("'" + text + "' is not a rule for alerts: use oldest=PT10M, failing=20%,"
                + " discarded=5, stalled, overdue or no-worker; for one queue, such as oldest:mail=PT10M");
    }

    /** {@return whether it is about this queue} */
    public boolean concerns(String name) {
        return queue == null || queue.equals(name);
    }

    /** {@return the rule, as {@link #parse} reads it} */
    @Override
    public String toString() {
        String of = queue == null ? "" : ":" + queue;
        return switch (what) {
            case OLDEST -> "oldest" + of + "=" + age;
            case FAILING -> "failing" + of + "=" + number + "%";
            case DISCARDED -> "discarded" + of + "=" + number;
            case STALLED -> "stalled";
            case OVERDUE -> "overdue";
            case NO_WORKER -> "no-worker" + of;
        };
    }
}
