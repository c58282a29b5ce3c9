package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RetentionRule;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.limit.Subject;
import java.util.Set;
import java.util.TreeSet;

/** The names that are in use: of jobs, workers, schedules and settings. Of jobs the newest are read. */
final class KnownNames {
    private static final int NEWEST = 1_000;

    private final JobQueue queue;
    private final Admin admin;

    KnownNames(JobQueue queue) {
        this.queue = queue;
        this.admin = queue.admin();
    }

    Set<String> queues() {
        Set<String> names = new TreeSet<>(admin.queues().pausedSince().keySet());
        names.add(EnqueueOptions.DEFAULTS.queue());
        admin.queues().list(1).stream().map(QueueStats::name).forEach(names::add);
        admin.queues().finished(NEWEST).stream().map(FinishedJobs::queue).forEach(names::add);
        admin.workers().list().forEach(worker -> names.addAll(worker.queues()));
        queue.schedules().list().forEach(schedule -> names.add(schedule.queue()));
        addSubjects(names, Subject.Of.QUEUE);
        addSubjects(names, Subject.Of.KEYS);
        return names;
    }

    Set<String> kinds() {
        Set<String> names = new TreeSet<>();
        admin.workers().list().forEach(worker -> names.addAll(worker.kinds()));
        admin.queues().unattended().stream().map(UnattendedJobs::kind).forEach(names::add);
        admin.jobs().page(JobFilter.ALL.limit(NEWEST)).jobs().stream()
                .map(Job::kind)
                .forEach(names::add);
        queue.schedules().list().forEach(schedule -> names.add(schedule.kind()));
        addSubjects(names, Subject.Of.KIND);
        return names;
    }

    private void addSubjects(Set<String> names, Subject.Of of) {
        queue.limits().list().stream()
                .map(info -> info.limit().subject())
                .filter(subject -> subject.of() == of)
                .forEach(subject -> names.add(subject.name()));
        admin.maintenance().retentions().stream()
                .map(RetentionRule::subject)
                .filter(subject -> subject.of() == of)
                .forEach(subject -> names.add(subject.name()));
    }
}
