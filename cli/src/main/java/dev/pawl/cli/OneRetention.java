package dev.pawl.cli;

import dev.pawl.limit.Subject;
import picocli.CommandLine.Parameters;

/** Base of the commands for the retention of one queue or kind. */
abstract class OneRetention extends CliCommand {
    @Parameters(
            index = "0",
            paramLabel = "queue|kind",
            description = "What the retention applies to: a queue or a kind.")
    private String of = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "The name of the queue or kind.")
    private String name = "";

    final Subject subject() {
        return subject(of, name);
    }

    static Subject subject(String of, String name) {
        if (!of.equals("queue") && !of.equals("kind")) {
            throw new UsageException("a retention applies to a 'queue' or a 'kind', not to a '" + of + "'");
        }
        return new Subject(Subject.Of.parse(of), name);
    }
}
