package dev.pawl.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    private @Nullable ShardOutput collected;

    /** Collects what is printed from now on, instead of printing it. With null, output is printed again. */
    final void collect(@Nullable ShardOutput all) {
        collected = all;
        output.collect(all);
    }

    /** {@return standard output, or the writer that collects it} */
    final PrintWriter out() {
        return collected != null
                ? collected.lines()
                : new EscapedWriter(spec.commandLine().getOut());
    }

    final PrintWriter err() {
        return new EscapedWriter(spec.commandLine().getErr());
    }

    /** {@return whether the command runs on the database, or the shards, of its options; false if it needs none or makes its own} */
    boolean needsDatabase() {
        return true;
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
