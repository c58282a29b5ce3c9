package dev.pawl.cli;

import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.PawlException;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Subject;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * Refuses names of queues and kinds that nothing has: they are mistyped more often than meant in advance. A database that cannot
 * answer refuses none, because a pause may be urgent.
 */
final class NameOptions {
    @Option(names = "--new", description = "Accept a name that no job, worker, schedule or setting has yet.")
    private boolean isNew;

    void require(DatabaseOptions.Session session, Subject subject) {
        if (subject.of() == Subject.Of.KIND) {
            requireKind(session, subject.name());
        } else {
            requireQueue(session, subject.name());
        }
    }

    void requireQueue(DatabaseOptions.Session session, String queue) {
        KnownNames known = new KnownNames(session.queue());
        require(session, "queue", queue, known::queues, JobFilter.ALL.queue(queue));
    }

    private void requireKind(DatabaseOptions.Session session, String kind) {
        KnownNames known = new KnownNames(session.queue());
        require(session, "kind", kind, known::kinds, JobFilter.ALL.kind(kind));
    }

    void requireKey(DatabaseOptions.Session session, ConcurrencyKey key) {
        JobFilter jobs = JobFilter.ALL.queue(key.queue()).key(key.key());
        if (!isNew && !unlessItFails(() -> hasJobs(session, jobs))) {
            requireQueue(session, key.queue());
            throw new NotFoundException("no job of queue " + key.queue() + " has the key " + Texts.cut(key.key())
                    + "; --new accepts it nevertheless");
        }
    }

    private void require(
            DatabaseOptions.Session session, String what, String name, Supplier<Set<String>> names, JobFilter jobs) {
        if (isNew || unlessItFails(() -> names.get().contains(name) || hasJobs(session, jobs))) {
            return;
        }
        throw new NotFoundException(
                "there is no " + what + " " + Texts.cut(name) + NearestNames.question(name, names.get())
                        + ": no job, worker, schedule or setting has that name; --new accepts it nevertheless");
    }

    private static boolean unlessItFails(Supplier<Boolean> isKnown) {
        try {
            return isKnown.get();
        } catch (PawlException failing) {
            return true;
        }
    }

    private static boolean hasJobs(DatabaseOptions.Session session, JobFilter jobs) {
        return session.queue()
                        .admin()
                        .jobs()
                        .countNewest(jobs, new JobChange.Erase(), 1)
                        .jobs()
                > 0;
    }
}
