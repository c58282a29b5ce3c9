package dev.pawl.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands share: a database, and two ways to print. */
abstract class CliCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private Output output = new Output();

    final PrintWriter out() {
        return new HarmlessWriter(spec.commandLine().getOut());
    }

    final PrintWriter err() {
        return new HarmlessWriter(spec.commandLine().getErr());
    }

    final DatabaseOptions database() {
        return database;
    }

    final Output output() {
        return output;
    }

    /** Reports what was done, as text or JSON. */
    final void tell(Object asJson, String line) {
        if (output.isJson()) {
            output.json(out(), asJson);
        } else {
            out().println(line);
        }
    }
}
