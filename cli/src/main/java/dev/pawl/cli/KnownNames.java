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
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.JobStore;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The queues, kinds and concurrency keys that jobs, workers, schedules and settings use. */
final class KnownNames {
    /** Timeout of each query. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    private static final int NEWEST = 1_000;

    private final JobQueue queue;
    private final Admin admin;

    KnownNames(JobQueue queue) {
        this.queue = queue;
        this.admin = queue.admin();
    }

    /** {@return whether a queue has waiting jobs, or a worker, schedule or setting names it} Reads only indexes and small tables. */
    boolean hasQueue(String name) throws SQLException {
        return name.equals(EnqueueOptions.DEFAULTS.queue())
                || !waitingQueues(name::equals).isEmpty()
                || admin.queues().pausedSince().containsKey(name)
                || hasStrategy(name)
                || hasSubject(Subject.queue(name))
                || hasSubject(new Subject(Subject.Of.KEYS, name))
                || queue.schedules().list().stream()
                        .anyMatch(schedule -> schedule.queue().equals(name))
                || admin.workers().list().stream()
                        .anyMatch(worker -> worker.queues().contains(name));
    }

    /** {@return whether a setting, schedule or worker names a kind, or jobs of the kind have no worker} */
    boolean hasKind(String name) {
        return hasSubject(Subject.kind(name))
                || queue.schedules().list().stream()
                        .anyMatch(schedule -> schedule.kind().equals(name))
                || admin.workers().list().stream()
                        .anyMatch(worker -> worker.kinds().contains(name))
                || admin.queues().unattended().stream()
                        .anyMatch(jobs -> jobs.kind().equals(name));
    }

    /** {@return whether a key is paused, or has jobs that wait or run} */
    boolean hasKey(ConcurrencyKey key) throws SQLException {
        return new SqlKeys(database()).isKnown(new JobKey(key.queue(), key.key()));
    }

    /** {@return the queues with waiting jobs that match, read from indexes} */
    Set<String> waitingQueues(Predicate<String> which) throws SQLException {
        return new WorkerRegistry(database()).waitingQueues(which);
    }

    private Database database() {
        return queue.unwrap(QueueRuntime.class).database().limited(LONGEST);
    }

    /** {@return names of queues to suggest; of finished jobs, only the newest are read} */
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

    /** {@return names of kinds to suggest; of jobs, only the newest are read} */
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

    private boolean hasStrategy(String name) throws SQLException {
        JobStore.Settings settings =
                queue.unwrap(QueueRuntime.class).ports().store().settings();
        return settings.strategies().containsKey(name);
    }

    private boolean hasSubject(Subject subject) {
        Set<String> names = new TreeSet<>();
        addSubjects(names, subject.of());
        return names.contains(subject.name());
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
