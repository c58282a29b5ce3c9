package dev.pawl.cli;

import picocli.CommandLine.Mixin;

/** Base of the commands that change all jobs that match. */
abstract class ChangeJobs extends CliCommand {
    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    /** {@return the change that the options request} */
    abstract Wanted wanted();

    /** Checks names in the change, such as the target queue, before any job is changed. */
    void check(DatabaseOptions.Session session) {}

    @Override
    public final Integer call() {
        matching.check();
        Wanted wanted = wanted();
        try (DatabaseOptions.Session session = database().openExisting()) {
            check(session);
            return matching.change(this, session.queue().admin(), wanted.change(), wanted.many());
        }
    }
}
