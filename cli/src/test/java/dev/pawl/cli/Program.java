package dev.pawl.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the program as a user would, on one database. */
final class Program {
    private final String url;

    Program(String url) {
        this.url = url;
    }

    String url() {
        return url;
    }

    static Program onFile(Path folder) {
        return new Program("jdbc:sqlite:" + folder.resolve("test.db"));
    }

    /**
     * The result of a command.
     *
     * @param exit the exit code
     * @param out standard output
     * @param err standard error
     */
    record Result(int exit, String out, String err) {}

    Result run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--db", url));
        return plain(all.toArray(String[]::new));
    }

    static Result plain(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Result(exit, out.toString(), err.toString());
    }
}
