package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.limit.Hold;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Says why jobs that wait may not run, although workers are there: queues that are paused, holds and limits. */
final class Hindrances {
    private final JobQueue queue;

    Hindrances(JobQueue queue) {
        this.queue = queue;
    }

    /**
     * {@return what keeps a job from running; empty if it does not wait}
     *
     * @param due the moment for which it waits although it is parked
     */
    List<String> of(Job job, Optional<Instant> due) {
        List<String> words = new ArrayList<>();
        if (job.state() != JobState.AVAILABLE) {
            return words;
        }
        if (job.isBlocked()) {
            queue.admin()
                    .workflowOf(job)
                    .ifPresent(workflow -> words.add("waits for other jobs of its workflow: pawl workflow " + workflow
                            + " shows which; pawl retry " + job.id() + " runs it before they have ended"));
        }
        if (job.isParked()) {
            words.add(due.map(moment -> "parked: due at " + Texts.time(moment)
                            + ", when it takes its place among the jobs with its key; pawl retry " + job.id()
                            + " runs it now")
                    .orElseGet(() -> parked(job)));
            job.key()
                    .ifPresent(key -> queue.limits().heldKeys().stream()
                            .filter(held -> held.queue().equals(job.queue())
                                    && held.key().equals(key))
                            .forEach(held -> words.add(held("its key", held.hold()) + "keys " + job.queue() + " --key "
                                    + Texts.cut(key))));
        }
        if (job.isHeldBack()) {
            long batch = job.batch().orElse(0);
            words.add("its batch holds it back, because it is paused or its first jobs have not completed: pawl batch "
                    + batch);
        }
        if (queue.admin().queues().stream().anyMatch(one -> one.name().equals(job.queue()) && one.paused())) {
            words.add(
                    queue.admin().allPausedSince().isPresent()
                            ? "all queues are paused: pawl resume --all"
                            : "queue " + job.queue() + " is paused: pawl resume " + job.queue());
        }
        for (LimitInfo info : queue.limits().list()) {
            Subject subject = info.limit().subject();
            if (subject.equals(Subject.queue(job.queue())) || subject.equals(Subject.kind(job.kind()))) {
                words.addAll(of(info));
            }
        }
        return words;
    }

    private String parked(Job job) {
        String outOfTurn = "; pawl retry " + job.id() + " runs it out of turn";
        boolean hasRate = queue.limits().list().stream()
                .map(LimitInfo::limit)
                .anyMatch(limit -> limit.subject().equals(Subject.keysOf(job.queue())) && limit.rate() != null);
        if (!isFirstOfItsKey(job)) {
            return "parked: jobs with its key run before it" + (hasRate ? ", or the rate of its key is used up" : "")
                    + outOfTurn;
        }
        return "parked: no job with its key is before it, "
                + (hasRate ? "so the rate of its key is used up, or" : "but")
                + " no worker has released it yet: pawl work --queues " + job.queue() + " …" + outOfTurn;
    }

    /** Looks at a few jobs only: what is not sure is no. */
    private boolean isFirstOfItsKey(Job job) {
        JobFilter ofKey =
                JobFilter.ALL.queue(job.queue()).key(job.key().orElse("")).limit(100);
        return queue.admin().list(ofKey.state(JobState.RUNNING)).isEmpty()
                && queue.admin()
                        .list(ofKey.state(JobState.AVAILABLE).before(job.id()))
                        .isEmpty()
                && queue.admin().list(ofKey.state(JobState.AVAILABLE)).stream().allMatch(Job::isParked);
    }

    /**
     * {@return what keeps jobs of a queue from running, but for pauses: holds and limits of the queue, and, if jobs wait in it, of all
     * kinds}
     *
     * @param limits all there are
     */
    static List<String> of(QueueStats one, List<LimitInfo> limits) {
        boolean waits = one.available() + one.delayed() + one.retrying() > 0;
        return limits.stream()
                .filter(info -> switch (info.limit().subject().of()) {
                    case QUEUE -> isAbout(info, one) && (waits || info.hold() != null);
                    case KEYS -> isAbout(info, one) && waits;
                    case KIND -> waits;
                })
                .flatMap(info -> of(info).stream())
                .toList();
    }

    private static boolean isAbout(LimitInfo info, QueueStats queue) {
        return info.limit().subject().name().equals(queue.name());
    }

    /**
     * {@return what limits and holds keep jobs from running, by what it is, which stays the same while moments change}
     *
     * @param which queues and kinds
     */
    Map<String, String> ofLimits(List<QueueStats> queues, Predicate<Subject> which) {
        Map<String, String> words = new LinkedHashMap<>();
        if (queues.stream().anyMatch(one -> one.available() + one.delayed() > 0)) {
            for (LimitInfo info : queue.limits().list()) {
                Subject subject = info.limit().subject();
                if (which.test(subject)) {
                    String kind = info.hold() != null ? "hold of " : "limit of ";
                    of(info).forEach(text -> words.putIfAbsent(kind + subject, text));
                }
            }
        }
        return words;
    }

    private static String held(String what, Hold hold) {
        return what
                + (hold.until().isAfter(Instant.now())
                        ? " is held back until " + Texts.time(hold.until())
                        : " was held back and is being tried, one job at a time")
                + " (" + Texts.cut(hold.reason()) + "): pawl limits open ";
    }

    private static List<String> of(LimitInfo info) {
        Subject subject = info.limit().subject();
        List<String> words = new ArrayList<>();
        Hold hold = info.hold();
        Instant now = Instant.now();
        if (hold != null) {
            words.add(held(subject.toString(), hold) + subject.of().word() + " " + subject.name());
        }
        Integer atOnce = info.limit().atOnce();
        if (atOnce != null && info.shared() >= atOnce && info.waiting() > 0) {
            words.add(subject + " is at its limit: " + atOnce + " at once");
        }
        Instant next = info.nextStart();
        if (next != null && next.isAfter(now)) {
            words.add(subject + " is at the limit of its rate: the next start is at " + Texts.time(next));
        }
        return words;
    }
}
