package dev.pawl.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs the program of the command line in this process. */
public final class InProcess {
    static {
        // What the program wants to be logged is for people; here it would hide what went wrong.
        System.setProperty("org.slf4j.simpleLogger.log.dev.pawl.internal.engine.Fetcher", "off");
    }

    private InProcess() {}

    /**
     * What came of it.
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
