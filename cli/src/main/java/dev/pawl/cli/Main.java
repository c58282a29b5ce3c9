package dev.pawl.cli;

import dev.pawl.api.PawlException;
import java.io.FileDescriptor;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@code pawl}. */
@Command(
        name = "pawl",
        description = "A job queue that lives in the SQL database you already have.",
        mixinStandardHelpOptions = true,
        version = "Pawl 0.1.0",
        footer = {
            "",
            "Plural commands list, singular commands show one item; verbs take the thing to change: pawl jobs, pawl job 7,"
                    + " pawl retry job 7. 'pawl COMMAND --help' has the details.",
            "'pawl lab' measures Pawl and other libraries on your database; it is built when it is first used.",
            "The database is given by --db or PAWL_DB; the default is the file pawl.db. Several are given by --shard or PAWL_SHARDS.",
            "Exit codes: 0 success, 1 failure, 2 usage error."
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = CommandLine.ScopeType.INHERIT,
            description = "Show the log, and the stack trace on failure.")
    private boolean verbose;

    private Main() {}

    /**
     * Runs the program and exits with its code.
     *
     * @param arguments see {@code pawl --help}
     */
    public static void main(String[] arguments) {
        StandardOutput out = new StandardOutput(FileDescriptor.out);
        System.setErr(new EscapedLog(System.err));
        System.exit(run(writer(out), writer(new StandardOutput(FileDescriptor.err)), out::isPipeClosed, arguments));
    }

    /** Used instead of System.out, which does not report a full disk. */
    private static PrintWriter writer(StandardOutput output) {
        return new PrintWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8), true);
    }

    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return run(out, err, () -> false, arguments);
    }

    private static int run(PrintWriter out, PrintWriter err, BooleanSupplier isPipeClosed, String... arguments) {
        List<String> given = List.of(arguments);
        boolean isVerbose = given.contains("-v") || given.contains("--verbose");
        Logging.configure(
                isVerbose,
                isVerbose
                        || given.contains("work")
                        || given.contains("manage")
                        || given.contains("dashboard")); // before anything can log
        Main main = new Main();
        CommandLine program = new CommandLine(main);
        Commands.addTo(program, given);
        program.setUsageHelpWidth(helpWidth());
        program.setOut(out).setErr(err).setExpandAtFiles(false);
        program.setExecutionStrategy(OverShards::execute);
        program.setExecutionExceptionHandler(
                (error, command, parsed) -> fail(error, new EscapedWriter(command.getErr()), main.verbose));
        program.setParameterExceptionHandler((error, all) -> {
            CommandLine command = error.getCommandLine();
            command.getErr().println("pawl: " + UsageMistake.words(error));
            if (!HelpPage.isVerb(command.getCommandSpec())) {
                CommandLine.UnmatchedArgumentException.printSuggestions(error, command.getErr());
            }
            command.getErr().println("Try 'pawl " + path(command) + "--help'.");
            return 2;
        });
        int exit = program.execute(arguments);
        if (out.checkError() && exit == 0) {
            if (isPipeClosed.getAsBoolean()) {
                return 0; // the reader, such as 'head', has closed the pipe
            }
            err.println("pawl: cannot write to standard output");
            return 1;
        }
        return exit;
    }

    /** {@return the program with all of its commands, for its help} */
    static CommandLine withAllCommands() {
        CommandLine program = new CommandLine(new Main());
        Commands.addTo(program, List.of());
        return program;
    }

    /** At most 120, because wider lines are hard to read. */
    private static int helpWidth() {
        int columns = Boolean.getBoolean("pawl.screen") ? Integer.getInteger("pawl.columns", 80) : 80;
        return Math.max(60, Math.min(columns, 120));
    }

    /** {@return the words of a command after the program's name, each followed by a space} */
    static String path(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        return name.equals("pawl") ? "" : name.substring("pawl ".length()) + " ";
    }

    /** {@return whether a command shows stack traces} */
    static boolean isVerbose(CommandLine command) {
        return command.getCommandSpec().root().userObject() instanceof Main main && main.verbose;
    }

    private static int fail(Exception error, PrintWriter err, boolean verbose) throws Exception {
        if (verbose) {
            error.printStackTrace(err);
        }
        if (error instanceof IllegalArgumentException) {
            err.println("pawl: " + Texts.inShort(String.valueOf(error.getMessage())));
            return 2;
        }
        if (error instanceof UsageException) {
            err.println("pawl: " + error.getMessage());
            return 2;
        }
        if (error instanceof PawlException
                || error instanceof DatabaseOptions.CannotConnect
                || error instanceof NotFoundException
                || error instanceof UncheckedIOException) {
            err.println("pawl: " + error.getMessage());
            return 1;
        }
        err.println("pawl: unexpected: " + error + " (run with --verbose to see where)");
        return 1;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
