package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.PawlException;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports why a program that runs until the queue is empty is still waiting, each reason once. Confined to one thread. */
final class WaitReport {
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final JobQueue queue;
    private final List<Pattern> queues;
    private final Set<String> kinds;
    private final PrintWriter err;
    private final Set<String> reported = new HashSet<>();
    private long checkedNanos = System.nanoTime();

    /** @param queues names, or patterns with {@code *} */
    WaitReport(JobQueue queue, String[] queues, Set<String> kinds, PrintWriter err) {
        this.queue = queue;
        this.queues = Stream.of(queues)
                .map(name -> Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"), Pattern.DOTALL))
                .toList();
        this.kinds = Set.copyOf(kinds);
        this.err = err;
    }

    /** Reports limits and outages that keep jobs waiting and were not reported before; checks at most every two seconds. */
    void check() {
        if (System.nanoTime() - checkedNanos < CHECK_NANOS) {
            return;
        }
        checkedNanos = System.nanoTime();
        try {
            waitReasons().forEach((what, words) -> {
                if (reported.add(what)) {
                    say("waiting: " + words);
                }
            });
        } catch (PawlException away) {
            // the log reports the database outage, and the next check tries again
        }
    }

    private Map<String, String> waitReasons() {
        return new WaitReasonText(queue).ofLimits(waiting(), subject -> switch (subject.of()) {
            case QUEUE -> isOurs(subject.name());
            case KIND -> kinds.contains(subject.name());
            case KEYS -> false; // a limit does not tell whether jobs of a key wait
        });
    }

    private List<QueueStats> waiting() {
        return queue.admin().queues().list(Admin.UNLIMITED).stream()
                .filter(one -> isOurs(one.name()))
                .toList();
    }

    private boolean isOurs(String name) {
        return queues.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }

    /** Reports the jobs that remain at the end: in paused queues, of kinds that no live worker runs, and for later. */
    void end() {
        try {
            List<QueueStats> left = waiting();
            String paused = left.stream()
                    .filter(one -> one.paused() && one.available() > 0)
                    .map(one -> one.available() + " in queue " + one.name() + ", which is paused (pawl resume queue "
                            + one.name() + ")")
                    .collect(Collectors.joining(", "));
            long later = left.stream()
                    .mapToLong(one -> one.delayed() + one.retrying())
                    .sum();
            Set<String> running = left.stream()
                    .filter(one -> !one.paused())
                    .map(QueueStats::name)
                    .collect(Collectors.toSet());
            String unknown = UnhandledKinds.left(queue.admin().queues().unattended(), running::contains, kinds);
            String words = Stream.of(paused, unknown, later == 0 ? "" : later + " for later")
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(", "));
            if (!words.isEmpty()) {
                say("jobs that are left: " + words);
            }
        } catch (PawlException away) {
            // the work is done anyway
        }
    }

    void gaveUp(String time) {
        check();
        say("not empty after " + time + ": jobs are left, see 'pawl queues'");
    }

    private void say(String line) {
        err.println("pawl: " + line);
        err.flush();
    }
}
