package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.Choice;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Due jobs that a worker leaves because it runs other kinds: perhaps one was mistyped. */
final class OtherKinds {
    private static final int PAGE = 100;
    private static final int MOST_LOOKED_AT = 1_000;
    private static final int MOST_NAMED = 5;

    private final JobAdmin admin;
    private final Set<String> kinds;

    /** @param kinds that the worker runs */
    OtherKinds(JobAdmin admin, Set<String> kinds) {
        this.admin = admin;
        this.kinds = kinds;
    }

    /** {@return how many are left in a queue, of which kinds, and what runs them; empty if there are none} */
    String left(QueueStats queue) {
        if (queue.paused() || queue.available() == 0) {
            return "";
        }
        List<Job> others = waiting(queue.name());
        // Whether a job is due is for the database's clock to say, which has counted them; ours only helps to name the
        // kinds.
        long due = others.size() < MOST_LOOKED_AT ? Math.min(queue.available(), others.size()) : queue.available();
        if (due == 0) {
            return "";
        }
        Instant now = Instant.now();
        Set<String> names = kindsOf(
                others.stream().filter(job -> !job.availableAt().isAfter(now)).toList());
        Set<String> told = names.isEmpty() ? kindsOf(others) : names;
        return due + " in queue " + queue.name() + " of kinds that this worker does not run: " + words(told)
                + " (pawl work --queues " + queue.name() + " --handler "
                + told.iterator().next() + "=…)";
    }

    /** The newest of them, a few at a time, because payloads may be long. */
    private List<Job> waiting(String queue) {
        JobFilter filter = JobFilter.ALL.queue(queue).state(JobState.AVAILABLE).limit(PAGE);
        if (kinds.size() <= Choice.MOST) {
            filter = filter.kinds(Choice.<String>all().without(List.copyOf(kinds)));
        }
        List<Job> found = new ArrayList<>();
        List<Job> page;
        do {
            page = admin.list(filter);
            page.stream()
                    .filter(job -> !kinds.contains(job.kind()) && !Texts.waitsForOthers(job))
                    .forEach(found::add);
            filter = page.isEmpty()
                    ? filter
                    : filter.before(page.get(page.size() - 1).id());
        } while (page.size() == PAGE && found.size() < MOST_LOOKED_AT);
        return found;
    }

    private static Set<String> kindsOf(List<Job> jobs) {
        return jobs.stream().map(Job::kind).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String words(Set<String> names) {
        return names.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
    }
}
