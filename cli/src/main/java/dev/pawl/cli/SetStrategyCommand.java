package dev.pawl.cli;

import dev.pawl.api.Strategy;
import dev.pawl.limit.Subject;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "strategy",
        mixinStandardHelpOptions = true,
        description = {
            "Set how the jobs of a queue are claimed.",
            "All workers without a strategy of their own follow within about five seconds.",
            "",
            "auto           what is best: lanes; removes the setting",
            "lanes          everywhere; jobs that are due at once are written once, up to 1,000 are claimed by one row",
            "rows           everywhere; a row for each job, claimed as suits the database (see 'pawl doctor')",
            "skip-locked    PostgreSQL, MySQL from 8.0.1, MariaDB from 10.6",
            "immediate      SQLite",
            "optimistic     everywhere, cannot deadlock; options window=N|workers and pick=first|uniform|exponential",
            "pessimistic    everywhere, strict order; options delete-retry=N and delete-mark=yes|no",
            "transactional  everywhere; handler and completion in one transaction",
            "",
            "Options follow the name: optimistic:window=9,pick=first"
        })
final class SetStrategyCommand extends CliCommand {
    @Parameters(index = "0", paramLabel = "QUEUE", description = "The queue's name.")
    private String queue = "";

    @Parameters(index = "1", paramLabel = "STRATEGY", description = "One of those above.")
    private String strategy = "";

    @Mixin
    private NameOptions names = new NameOptions();

    @Override
    public Integer call() {
        Strategy wanted = Strategy.parse(strategy);
        try (DatabaseOptions.Session session = database().openExisting()) {
            names.requireForSetting(this, session.queue(), Subject.queue(queue));
            session.queue().admin().queues().setStrategy(queue, wanted);
            report(
                    Map.of("queue", queue, "strategy", wanted.toString()),
                    "queue " + queue + " is claimed with " + wanted);
            return 0;
        }
    }
}
