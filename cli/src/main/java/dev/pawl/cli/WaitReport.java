package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.PawlException;
import dev.pawl.admin.QueueStats;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells, once, what somebody waits for who waits until there is nothing left to run. Confined to one thread. */
final class Waiting {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final JobQueue queue;
    private final List<Pattern> queues;
    private final Set<String> kinds;
    private final PrintWriter err;
    private final Set<String> told = new HashSet<>();
    private long lookedNanos = System.nanoTime();

    /** @param queues names, or patterns with {@code *} */
    Waiting(JobQueue queue, String[] queues, Set<String> kinds, PrintWriter err) {
        this.queue = queue;
        this.queues = Stream.of(queues)
                .map(name -> Pattern.compile(Pattern.quote(name).replace("*", "\\E.*\\Q"), Pattern.DOTALL))
                .toList();
        this.kinds = Set.copyOf(kinds);
        this.err = err;
    }

    /** Not idle yet: every two seconds, whether something holds jobs back that was not told. */
    void look() {
        if (System.nanoTime() - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = System.nanoTime();
        try {
            hindrances().forEach((what, words) -> {
                if (told.add(what)) {
                    say("waiting: " + words);
                }
            });
        } catch (PawlException away) {
            // the log tells of a database that is away, and the next look comes
        }
    }

    private Map<String, String> hindrances() {
        return new Hindrances(queue).ofLimits(waiting(), subject -> switch (subject.of()) {
            case QUEUE -> isOurs(subject.name());
            case KIND -> kinds.contains(subject.name());
            case KEYS -> false; // says nothing about now
        });
    }

    private List<QueueStats> waiting() {
        return queue.admin().queues().stream().filter(one -> isOurs(one.name())).toList();
    }

    private boolean isOurs(String name) {
        return queues.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }

    /** Nothing is left to run now; what is left for later, or for others, is told. */
    void isOver() {
        try {
            List<QueueStats> left = waiting();
            String paused = left.stream()
                    .filter(one -> one.paused() && one.available() > 0)
                    .map(one -> one.available() + " in queue " + one.name() + ", which is paused (pawl resume "
                            + one.name() + ")")
                    .collect(Collectors.joining(", "));
            long later = left.stream()
                    .mapToLong(one -> one.delayed() + one.retrying())
                    .sum();
            Set<String> running = left.stream()
                    .filter(one -> !one.paused())
                    .map(QueueStats::name)
                    .collect(Collectors.toSet());
            String unknown = OtherKinds.left(queue.admin().unattended(), running::contains, kinds);
            String words = Stream.of(paused, unknown, later == 0 ? "" : later + " for later")
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining(", "));
            if (!words.isEmpty()) {
                say("jobs that are left: " + words);
            }
        } catch (PawlException away) {
            // the work is done all the same
        }
    }

    void gaveUp(String time) {
        look();
        say("not empty after " + time + ": jobs are left, see 'pawl queues'");
    }

    private void say(String line) {
        err.println("pawl: " + line);
        err.flush();
    }
}
