package dev.pawl.cli;

import dev.pawl.PawlException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@code pawl}. */
@Command(
        name = "pawl",
        description = "A job queue that lives in the SQL database you already have.",
        mixinStandardHelpOptions = true,
        version = "Pawl 0.1.0",
        subcommands = {
            DemoCommand.class,
            MigrateCommand.class,
            EnqueueCommand.class,
            WorkCommand.class,
            ManageCommand.class,
            JobsCommand.class,
            JobCommand.class,
            RetryCommand.class,
            CancelCommand.class,
            QueuesCommand.class,
            PauseCommand.class,
            StrategyCommand.class,
            TuneCommand.class,
            LaravelCommand.class,
            ResumeCommand.class,
            WorkersCommand.class,
            PruneCommand.class,
            DoctorCommand.class,
            picocli.AutoComplete.GenerateCompletion.class
        },
        footer = {
            "",
            "'pawl lab' measures strategies and other queues on your database; it is built on first use.",
            "The database is given by --db or PAWL_DB; the default is the file pawl.db.",
            "Exit codes: 0 done, 1 it failed, 2 the command line is wrong."
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = {"-v", "--verbose"},
            scope = CommandLine.ScopeType.INHERIT,
            description = "Show the log and, if it fails, the stack trace.")
    private boolean verbose;

    private Main() {}

    /**
     * Runs the program and exits with its code.
     *
     * @param arguments see {@code pawl --help}
     */
    public static void main(String[] arguments) {
        System.exit(run(
                new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8), true),
                new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true),
                arguments));
    }

    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        List<String> given = List.of(arguments);
        Logging.configure(given.contains("-v") || given.contains("--verbose")); // before anything can log
        Main main = new Main();
        CommandLine program = new CommandLine(main);
        ServiceLoader.load(Plugin.class).forEach(plugin -> program.addSubcommand(plugin.command()));
        program.setOut(out).setErr(err);
        program.setExecutionExceptionHandler((error, command, parsed) -> fail(error, command.getErr(), main.verbose));
        program.setParameterExceptionHandler((error, all) -> {
            CommandLine command = error.getCommandLine();
            command.getErr().println("pawl: " + error.getMessage());
            command.getErr().println("Try 'pawl " + path(command) + "--help'.");
            return 2;
        });
        return program.execute(arguments);
    }

    private static String path(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        return name.equals("pawl") ? "" : name.substring("pawl ".length()) + " ";
    }

    private static int fail(Exception error, PrintWriter err, boolean verbose) throws Exception {
        if (verbose) {
            error.printStackTrace(err);
        }
        if (error instanceof UsageException) {
            err.println("pawl: " + error.getMessage());
            return 2;
        }
        if (error instanceof PawlException || error instanceof DatabaseOptions.CannotConnect) {
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
