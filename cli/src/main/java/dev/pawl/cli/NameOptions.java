package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.PawlException;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * Refuses unknown names of queues, kinds and keys: they are more often typos than names for future jobs. Lookups are bounded, because a
 * pause may be urgent: a name is looked up by indexes first, then among all jobs for about two seconds. A name that could not be verified
 * in that time, or for which the database cannot answer, is accepted with a warning.
 */
final class NameOptions {
    @Option(names = "--new", description = "Accept a name that no job, worker, schedule or setting has yet.")
    private boolean isNew;

    private enum Found {
        YES,
        NO,
        UNSURE
    }

    private interface Lookup {
        boolean finds() throws SQLException;
    }

    /**
     * What is looked up.
     *
     * @param what its type, for messages
     * @param name to look up
     * @param indexedLookup by indexes and in small tables
     * @param jobs with that name
     * @param others known names, one of which may have been meant
     */
    private record Name(String what, String name, Lookup indexedLookup, JobFilter jobs, Supplier<Set<String>> others) {}

    /** Refuses an unknown queue or kind. */
    void require(CliCommand command, JobQueue queue, Subject subject) {
        check(command, queue, name(queue, subject), false);
    }

    /** For settings, which may precede the jobs: refuses an unknown name only if it resembles a known one; otherwise warns. */
    void requireForSetting(CliCommand command, JobQueue queue, Subject subject) {
        check(command, queue, name(queue, subject), true);
    }

    /** Refuses a key that no job of its queue has. */
    void requireKey(CliCommand command, JobQueue queue, ConcurrencyKey key) {
        Name name = new Name(
                "key",
                key.key(),
                () -> new KnownNames(queue).hasKey(key),
                JobFilter.ALL.queue(key.queue()).key(key.key()),
                Set::of);
        Found found = isNew || command.database().isKnownElsewhere() ? Found.YES : find(queue, name);
        if (found == Found.NO) {
            require(command, queue, Subject.queue(key.queue()));
            throw new NotFoundException("no job of queue " + key.queue() + " has the key " + Texts.cut(key.key())
                    + "; use --new to accept it anyway");
        }
        warn(command, name, found);
    }

    private static Name name(JobQueue queue, Subject subject) {
        KnownNames known = new KnownNames(queue);
        String name = subject.name();
        return subject.of() == Subject.Of.KIND
                ? new Name("kind", name, () -> known.hasKind(name), JobFilter.ALL.kind(name), known::kinds)
                : new Name("queue", name, () -> known.hasQueue(name), JobFilter.ALL.queue(name), known::queues);
    }

    private void check(CliCommand command, JobQueue queue, Name name, boolean isSetting) {
        Found found = isNew || command.database().isKnownElsewhere() ? Found.YES : find(queue, name);
        if (found == Found.NO) {
            String near = near(name);
            if (!isSetting || !near.isEmpty()) {
                throw new NotFoundException("there is no " + name.what + " " + Texts.cut(name.name) + near
                        + ": no job, worker, schedule or setting has that name; use --new to accept it anyway");
            }
            command.err()
                    .println("warning: no job, worker, schedule or setting has the name " + Texts.cut(name.name)
                            + " yet");
            command.database().acceptUnverified();
        }
        warn(command, name, found);
    }

    private static void warn(CliCommand command, Name name, Found found) {
        if (found == Found.UNSURE) {
            command.database().acceptUnverified();
            command.err()
                    .println("warning: the " + name.what + " " + Texts.cut(name.name)
                            + " could not be verified; check the spelling");
        }
    }

    private static String near(Name name) {
        try {
            return NearestNames.question(name.name, name.others.get());
        } catch (PawlException failing) {
            return "";
        }
    }

    private static Found find(JobQueue queue, Name name) {
        try {
            if (name.indexedLookup.finds()) {
                return Found.YES;
            }
            JobCount jobs = queue.admin().jobs().count(name.jobs, new JobChange.Erase(), KnownNames.LONGEST);
            return jobs.jobs() > 0 ? Found.YES : jobs.isAtLeast() ? Found.UNSURE : Found.NO;
        } catch (PawlException | SQLException failing) {
            return Found.UNSURE;
        }
    }
}
