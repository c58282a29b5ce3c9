package dev.pawl.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;

/**
 * The commands of the program, by the headings of its help. A plural lists, a singular shows one, and a verb is followed by
 * the type that it changes: {@code pawl jobs}, {@code pawl job 7}, {@code pawl retry job 7}.
 */
final class Commands {
    /**
     * A command. Its options are loaded only if it is called, or if the help lists all commands.
     *
     * @param group the heading
     */
    private record Entry(String group, String name, Class<?> type) {}

    private static final String FIRST = "First steps";
    private static final String SHOW = "Show";
    private static final String CHANGE = "Change what runs";
    private static final String MAINTAIN = "Configure and maintain";
    private static final String RELATED = "Related tools";

    private static final List<Entry> ALL = List.of(
            new Entry(FIRST, "demo", DemoCommand.class),
            new Entry(FIRST, "example", ExampleCommand.class),
            new Entry(FIRST, "migrate", MigrateCommand.class),
            new Entry(FIRST, "enqueue", EnqueueCommand.class),
            new Entry(FIRST, "work", WorkCommand.class),
            new Entry(FIRST, "dashboard", DashboardCommand.class),
            new Entry(FIRST, "doctor", DoctorCommand.class),
            new Entry(SHOW, "jobs", JobsCommand.class),
            new Entry(SHOW, "job", JobCommand.class),
            new Entry(SHOW, "failures", FailuresCommand.class),
            new Entry(SHOW, "queues", QueuesCommand.class),
            new Entry(SHOW, "workers", WorkersCommand.class),
            new Entry(SHOW, "batches", BatchesCommand.class),
            new Entry(SHOW, "batch", BatchCommand.class),
            new Entry(SHOW, "workflows", WorkflowsCommand.class),
            new Entry(SHOW, "workflow", WorkflowCommand.class),
            new Entry(SHOW, "schedules", SchedulesCommand.class),
            new Entry(SHOW, "schedule", ScheduleCommand.class),
            new Entry(SHOW, "limits", LimitsCommand.class),
            new Entry(SHOW, "retentions", RetentionsCommand.class),
            new Entry(SHOW, "slots", SlotsCommand.class),
            new Entry(SHOW, "gaps", GapsCommand.class),
            new Entry(CHANGE, "pause", PauseCommand.class),
            new Entry(CHANGE, "resume", ResumeCommand.class),
            new Entry(CHANGE, "retry", RetryCommand.class),
            new Entry(CHANGE, "cancel", CancelCommand.class),
            new Entry(CHANGE, "delete", DeleteCommand.class),
            new Entry(CHANGE, "erase", EraseCommand.class),
            new Entry(CHANGE, "move", MoveCommand.class),
            new Entry(CHANGE, "reschedule", RescheduleCommand.class),
            new Entry(CHANGE, "prioritize", PrioritizeCommand.class),
            new Entry(CHANGE, "edit", EditCommand.class),
            new Entry(CHANGE, "signal", SignalCommand.class),
            new Entry(CHANGE, "seal", SealCommand.class),
            new Entry(CHANGE, "run", RunCommand.class),
            new Entry(CHANGE, "stop", StopCommand.class),
            new Entry(CHANGE, "scale", ScaleCommand.class),
            new Entry(MAINTAIN, "add", AddCommand.class),
            new Entry(MAINTAIN, "change", ChangeCommand.class),
            new Entry(MAINTAIN, "set", SetCommand.class),
            new Entry(MAINTAIN, "remove", RemoveCommand.class),
            new Entry(MAINTAIN, "tune", TuneCommand.class),
            new Entry(MAINTAIN, "prune", PruneCommand.class),
            new Entry(MAINTAIN, "trim", TrimCommand.class),
            new Entry(MAINTAIN, "free", FreeCommand.class),
            new Entry(MAINTAIN, "flush", FlushCommand.class),
            new Entry(RELATED, "manage", ManageCommand.class),
            new Entry(RELATED, "alerts", AlertsCommand.class),
            new Entry(RELATED, "check", CheckCommand.class),
            new Entry(RELATED, "import", ImportCommand.class),
            new Entry(RELATED, "sql", SqlCommand.class),
            new Entry(RELATED, "laravel", LaravelCommand.class));

    private Commands() {}

    /**
     * Adds the commands that a call can need: the one that it names, or all.
     *
     * @param arguments of the call
     */
    static void addTo(CommandLine program, List<String> arguments) {
        String first = arguments.stream()
                .filter(argument -> !argument.startsWith("-"))
                .findFirst()
                .orElse("");
        boolean isKnown = ALL.stream().anyMatch(command -> command.name.equals(first));
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (Entry each : ALL) {
            if (!isKnown || each.name.equals(first)) {
                program.addSubcommand(each.name, each.type);
                groups.computeIfAbsent(each.group, none -> new ArrayList<>()).add(each.name);
            }
        }
        if (!isKnown) {
            List<String> others = groups.computeIfAbsent(RELATED, none -> new ArrayList<>());
            for (Plugin plugin : ServiceLoader.load(Plugin.class)) {
                CommandLine command = new CommandLine(plugin.command());
                program.addSubcommand(command);
                if (!others.contains(command.getCommandName())) {
                    others.add(command.getCommandName());
                }
            }
            program.addSubcommand(GenerateCompletion.class);
            others.add("generate-completion");
        }
        HelpPage.install(program, groups);
    }
}
