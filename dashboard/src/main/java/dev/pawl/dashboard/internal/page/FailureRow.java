package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.FailureGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Failed attempts with the same cause, on a page.
 *
 * @param group the attempts
 * @param title the message of the last one
 * @param isOngoing whether the last one is only minutes old
 * @param bars the path of a bar for each of the last 24 hours
 * @param summary of the bars, for screen readers
 */
public record FailureRow(FailureGroup group, String title, boolean isOngoing, String bars, String summary) {
    private static final Duration ONGOING = Duration.ofMinutes(15);
    private static final int WIDTH = 120;
    private static final int HEIGHT = 20;
    private static final int MAX_JOBS = 20;
    /** {@code com.example.SomeException: message}, the first line of a stack trace. */
    private static final Pattern EXCEPTION = Pattern.compile("[\\w$][\\w$.]*\\.([\\w$]+)(?::\\s*(.*))?");

    static List<FailureRow> all(List<FailureGroup> groups, int most) {
        return groups.stream().limit(most).map(FailureRow::of).toList();
    }

    static FailureRow of(FailureGroup group) {
        boolean isOngoing = Duration.between(group.lastAt(), Instant.now()).compareTo(ONGOING) < 0;
        List<Integer> hours = group.hours();
        int most = hours.stream().mapToInt(Integer::intValue).max().orElse(0);
        return new FailureRow(
                group,
                title(group.lastError()),
                isOngoing,
                bars(hours, most),
                "Failed attempts in each of the last 24 hours: at most " + Formats.number(most) + " in one");
    }

    /** {@return what went wrong, in the words of the program: the message of an exception, or its name} */
    static String title(String error) {
        String first = Formats.brief(error).strip();
        Matcher exception = EXCEPTION.matcher(first);
        if (!exception.matches()) {
            return first.isEmpty() ? "no message" : first;
        }
        String message = exception.group(2);
        return message == null || message.isBlank() ? exception.group(1) : message;
    }

    private static String bars(List<Integer> hours, int most) {
        StringBuilder path = new StringBuilder();
        double width = (double) WIDTH / hours.size();
        for (int i = 0; i < hours.size(); i++) {
            if (hours.get(i) > 0) {
                path.append('M')
                        .append(Chart.number((i + 0.5) * width))
                        .append(" 21v-")
                        .append(Chart.number(Math.max(2, (double) hours.get(i) / most * HEIGHT)));
            }
        }
        return path.toString();
    }

    /** {@return whether jobs can be retried} */
    public boolean hasJobs() {
        return group.discarded().size() + group.waiting().size() > 0;
    }

    /** {@return some of the jobs that were discarded or wait for a retry} */
    public List<Long> jobs() {
        List<Long> jobs = new ArrayList<>(group.discarded());
        jobs.addAll(group.waiting());
        return jobs.subList(0, Math.min(MAX_JOBS, jobs.size()));
    }

    /**
     * {@return the jobs that a button changes, for its confirmation: all with the cause, also those that were not read}
     *
     * @param shown how many of them were read
     */
    public String affected(int shown) {
        String jobs = Formats.count(shown, "job");
        return group.isPartial() ? "At least " + jobs + ", all with this cause," : jobs;
    }

    /**
     * {@return the parameters of a button: the group, and the number of jobs that the user was shown, if it is exact}
     *
     * @param shown how many jobs were read
     */
    public Map<String, String> parameters(int shown) {
        return group.isPartial()
                ? Map.of("group", group.id())
                : Map.of("group", group.id(), "expected", Integer.toString(shown));
    }
}
