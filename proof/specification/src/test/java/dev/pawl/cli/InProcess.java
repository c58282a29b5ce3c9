package dev.pawl.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs the command-line program in this process. */
public final class InProcess {
    static {
        // This logging is meant for users of the program. In the output of tests it would hide errors.
        System.setProperty("org.slf4j.simpleLogger.log.dev.pawl.internal.engine.Fetcher", "off");
    }

    private InProcess() {}

    /**
     * The result of a command.
     *
     * @param exit the exit code
     * @param out standard output
     * @param err standard error
     */
    public record Result(int exit, String out, String err) {}

    public static Result run(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
        return new Result(exit, out.toString(), err.toString());
    }
}
