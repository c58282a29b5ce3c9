package dev.pawl.cli;

import dev.pawl.limit.Subject;
import picocli.CommandLine.Parameters;

/** Base of the commands for the limit of one queue, of one kind, or of the keys of one queue. */
abstract class OneLimit extends CliCommand {
    @Parameters(
            index = "0",
            paramLabel = "queue|kind|keys",
            description = "What the limit applies to: a queue, a kind, or each key of a queue.")
    private String of = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "The name of the queue or kind.")
    private String name = "";

    final Subject subject() {
        return new Subject(Subject.Of.parse(of), name);
    }
}
