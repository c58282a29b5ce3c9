package dev.pawl.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base of all commands: a database, and two output formats. */
abstract class CliCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private Output output = new Output();

    final PrintWriter out() {
        return new EscapedWriter(spec.commandLine().getOut());
    }

    final PrintWriter err() {
        return new EscapedWriter(spec.commandLine().getErr());
    }

    final DatabaseOptions database() {
        return database;
    }

    final Output output() {
        return output;
    }

    /** Prints a result as text or JSON. */
    final void report(Object asJson, String line) {
        if (output.isJson()) {
            output.json(out(), asJson);
        } else {
            out().println(line);
        }
    }
}
