package dev.pawl.cli;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.admin.QueueStats;
import dev.pawl.limit.Hold;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Says why jobs that wait may not run, although workers are there: queues that are paused, holds and limits. */
final class Hindrances {
    private final JobQueue queue;

    Hindrances(JobQueue queue) {
        this.queue = queue;
    }

    /** {@return what keeps a job from running; empty if it does not wait} */
    List<String> of(Job job) {
        List<String> words = new ArrayList<>();
        if (job.state() != JobState.AVAILABLE) {
            return words;
        }
        if (job.isParked()) {
            words.add("parked: jobs with its key run before it; pawl retry " + job.id() + " runs it out of turn");
        }
        if (queue.admin().queues().stream().anyMatch(one -> one.name().equals(job.queue()) && one.paused())) {
            words.add("queue " + job.queue() + " is paused: pawl resume " + job.queue());
        }
        for (LimitInfo info : queue.limits().list()) {
            Subject subject = info.limit().subject();
            if (subject.equals(Subject.queue(job.queue())) || subject.equals(Subject.kind(job.kind()))) {
                words.addAll(of(info));
            }
        }
        return words;
    }

    /** {@return what keeps jobs of any of the queues from running, but for pauses, which their lines tell} */
    List<String> ofAll(List<QueueStats> queues) {
        List<String> words = new ArrayList<>();
        if (queues.stream().anyMatch(one -> one.available() + one.delayed() + one.retrying() > 0)) {
            queue.limits().list().forEach(info -> words.addAll(of(info)));
        }
        return words;
    }

    private static List<String> of(LimitInfo info) {
        Subject subject = info.limit().subject();
        List<String> words = new ArrayList<>();
        Hold hold = info.hold();
        Instant now = Instant.now();
        if (hold != null) {
            words.add(subject
                    + (hold.until().isAfter(now)
                            ? " is held back until " + Texts.time(hold.until())
                            : " was held back and is being tried, one job at a time")
                    + " (" + Texts.cut(hold.reason()) + "): pawl limits open "
                    + subject.of().word() + " " + subject.name());
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
