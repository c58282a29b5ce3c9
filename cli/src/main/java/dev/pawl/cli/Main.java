package dev.pawl.cli;

import dev.pawl.api.PawlException;
import java.io.FileDescriptor;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
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
            "'pawl lab' measures strategies and other queues on your database; it is built on first use.",
            "The database is given by --db or PAWL_DB; the default is the file pawl.db.",
            "Exit codes: 0 success, 1 failure, 2 a mistake on the command line."
        })
public final class Main implements Runnable {
    /** In the order of the help. Looking up a command by its name avoids loading the options of all others. */
    private static final List<Map.Entry<String, Class<?>>> COMMANDS = List.of(
            Map.entry("demo", DemoCommand.class),
            Map.entry("example", ExampleCommand.class),
            Map.entry("migrate", MigrateCommand.class),
            Map.entry("enqueue", EnqueueCommand.class),
            Map.entry("import", ImportCommand.class),
            Map.entry("sql", SqlCommand.class),
            Map.entry("work", WorkCommand.class),
            Map.entry("manage", ManageCommand.class),
            Map.entry("dashboard", DashboardCommand.class),
            Map.entry("check", CheckCommand.class),
            Map.entry("alerts", AlertsCommand.class),
            Map.entry("jobs", JobsCommand.class),
            Map.entry("job", JobCommand.class),
            Map.entry("batches", BatchesCommand.class),
            Map.entry("batch", BatchCommand.class),
            Map.entry("workflows", WorkflowsCommand.class),
            Map.entry("workflow", WorkflowCommand.class),
            Map.entry("signal", SignalCommand.class),
            Map.entry("retry", RetryCommand.class),
            Map.entry("cancel", CancelCommand.class),
            Map.entry("delete", DeleteCommand.class),
            Map.entry("move", MoveCommand.class),
            Map.entry("reschedule", RescheduleCommand.class),
            Map.entry("prioritize", PrioritizeCommand.class),
            Map.entry("edit", EditCommand.class),
            Map.entry("erase", EraseCommand.class),
            Map.entry("failures", FailuresCommand.class),
            Map.entry("queues", QueuesCommand.class),
            Map.entry("pause", PauseCommand.class),
            Map.entry("strategy", StrategyCommand.class),
            Map.entry("tune", TuneCommand.class),
            Map.entry("laravel", LaravelCommand.class),
            Map.entry("resume", ResumeCommand.class),
            Map.entry("workers", WorkersCommand.class),
            Map.entry("schedules", SchedulesCommand.class),
            Map.entry("limits", LimitsCommand.class),
            Map.entry("slots", SlotsCommand.class),
            Map.entry("prune", PruneCommand.class),
            Map.entry("retention", RetentionCommand.class),
            Map.entry("doctor", DoctorCommand.class));

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
        StandardOutput out = new StandardOutput(FileDescriptor.out);
        System.setErr(new EscapedLog(System.err));
        System.exit(run(writer(out), writer(new StandardOutput(FileDescriptor.err)), out::isPipeClosed, arguments));
    }

    /** Not System.out, which does not report a full disk. */
    private static PrintWriter writer(StandardOutput output) {
        return new PrintWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8), true);
    }

    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return run(out, err, () -> false, arguments);
    }

    private static int run(PrintWriter out, PrintWriter err, BooleanSupplier isPipeClosed, String... arguments) {
        List<String> given = List.of(arguments);
        boolean wordy = given.contains("-v") || given.contains("--verbose");
        Logging.configure(
                wordy,
                wordy
                        || given.contains("work")
                        || given.contains("manage")
                        || given.contains("dashboard")); // before anything can log
        Main main = new Main();
        CommandLine program = new CommandLine(main);
        addCommands(program, given);
        program.getSubcommands().values().forEach(Main::joinLines);
        program.setOut(out).setErr(err).setExpandAtFiles(false);
        program.setExecutionExceptionHandler(
                (error, command, parsed) -> fail(error, new EscapedWriter(command.getErr()), main.verbose));
        program.setParameterExceptionHandler((error, all) -> {
            CommandLine command = error.getCommandLine();
            command.getErr()
                    .println("pawl: "
                            + String.valueOf(error.getMessage())
                                    .replaceAll(
                                            "('[+-]?[0-9]{10,}') is not an? (int|long)$",
                                            "$1 is out of range; 'pawl " + path(command)
                                                    + "--help' tells what is valid")
                                    .replaceAll("is not an? (int|long)$", "is not a whole number"));
            CommandLine.UnmatchedArgumentException.printSuggestions(error, command.getErr());
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
        addCommands(program, List.of());
        return program;
    }

    /** Joins source lines of descriptions; the terminal wraps them to its width. */
    private static void joinLines(CommandLine command) {
        List<String> joined = new ArrayList<>();
        for (String line : command.getCommandSpec().usageMessage().description()) {
            int last = joined.size() - 1;
            boolean continues = last >= 0 && joined.get(last).length() > 80 && !line.isEmpty() && !line.startsWith(" ");
            if (continues) {
                joined.set(last, joined.get(last) + " " + line);
            } else {
                joined.add(line);
            }
        }
        command.getCommandSpec().usageMessage().description(joined.toArray(String[]::new));
        command.getSubcommands().values().forEach(Main::joinLines);
    }

    private static void addCommands(CommandLine program, List<String> arguments) {
        String first = arguments.stream()
                .filter(argument -> !argument.startsWith("-"))
                .findFirst()
                .orElse("");
        boolean known = COMMANDS.stream().anyMatch(command -> command.getKey().equals(first));
        for (Map.Entry<String, Class<?>> command : COMMANDS) {
            if (!known || command.getKey().equals(first)) {
                program.addSubcommand(command.getValue());
            }
        }
        if (!known) {
            program.addSubcommand(picocli.AutoComplete.GenerateCompletion.class);
            ServiceLoader.load(Plugin.class).forEach(plugin -> program.addSubcommand(plugin.command()));
        }
    }

    private static String path(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        return name.equals("pawl") ? "" : name.substring("pawl ".length()) + " ";
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
