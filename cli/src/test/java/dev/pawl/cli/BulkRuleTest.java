package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** One rule for all commands that change many things: they say how many, ask on a terminal, and take {@code --yes}. */
class BulkRuleTest {
    /** Commands that change nothing, write only what they are given, or change the tables rather than their contents. */
    private static final Set<String> NONE = Set.of(
            "add schedule",
            "alerts",
            "batch",
            "batches",
            "check",
            "dashboard",
            "demo",
            "doctor",
            "enqueue",
            "example",
            "failures",
            "gaps",
            "generate-completion",
            "job",
            "jobs",
            "laravel",
            "limits",
            "manage",
            "migrate",
            "queues",
            "retentions",
            "schedule",
            "schedules",
            "slots",
            "sql",
            "work",
            "workers",
            "workflow",
            "workflows");

    /** Commands that change only the things that they name. */
    private static final Set<String> SINGLE = Set.of(
            "cancel job",
            "change schedule",
            "delete job",
            "edit job",
            "erase job",
            "free slot",
            "move job",
            "pause batch",
            "pause key",
            "pause kind",
            "pause queue",
            "pause schedule",
            "pause worker",
            "prioritize job",
            "remove limit",
            "remove retention",
            "remove schedule",
            "reschedule job",
            "resume batch",
            "resume key",
            "resume kind",
            "resume queue",
            "resume schedule",
            "resume worker",
            "retry job",
            "run schedule",
            "scale worker",
            "seal batch",
            "set limit",
            "set retention",
            "set strategy",
            "signal job",
            "stop worker");

    private final InputStream before = System.in;

    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");
    private String batch = "";
    private String group = "";

    @BeforeEach
    void fill() throws Exception {
        program = Program.onFile(folder);
        JobType<String> save = JobType.of("save", String.class);
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl(program.url());
        try (JobQueue queue = JobQueue.open(file)) {
            program.run("enqueue", "fail", "--max-attempts", "1");
            program.run("work", "--until-empty", "--slot", "fail=numbers", "--handler", "fail=exec:exit 1");
            program.run("enqueue", "slot");
            program.run("work", "--until-empty", "--slot", "slot=numbers", "--handler", "slot=exec:true");
            program.run("enqueue", "save", "{}", "--delay", "1h");
            var open = queue.batch("b").open();
            open.enqueue(save, "x");
            batch = Long.toString(open.id());
        }
        group = program.run("failures", "--json").out().replaceAll("(?s).*?\"id\" : \"([^\"]+)\".*", "$1");
    }

    @AfterEach
    void forgetTheTerminal() {
        System.setIn(before);
        System.clearProperty("pawl.terminal");
        System.clearProperty("pawl.keyboard");
    }

    /** {@return the commands that change many things, each with arguments that match something} */
    private Map<String, List<String>> bulk() {
        List<String> all = List.of("--everything");
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put("cancel batch", List.of(batch));
        commands.put("cancel failures", List.of(group));
        commands.put("cancel jobs", all);
        commands.put("cancel workflow", List.of(batch));
        commands.put("delete jobs", all);
        commands.put("erase jobs", all);
        commands.put("flush series", List.of("numbers", "numbers"));
        commands.put("import", List.of("--from", "quartz"));
        commands.put("move jobs", List.of("--everything", "--to", "b", "--new"));
        commands.put("pause all", List.of());
        commands.put("prioritize jobs", List.of("--everything", "--to", "3"));
        commands.put("prune", List.of());
        commands.put("reschedule jobs", List.of("--everything", "--in", "1h"));
        commands.put("resume all", List.of());
        commands.put("retry failures", List.of(group));
        commands.put("retry jobs", all);
        commands.put("scale queue", List.of("default", "3"));
        commands.put("trim series", List.of("numbers", "--gaps"));
        commands.put("tune", List.of("--live-partitions", "2"));
        return commands;
    }

    @Test
    void everyCommandThatChangesManyThingsTakesYes() {
        Map<String, CommandLine> leaves = new LinkedHashMap<>();
        leaves(Main.withAllCommands(), "", leaves);
        Set<String> known = new TreeSet<>(NONE);
        known.addAll(SINGLE);
        known.addAll(bulk().keySet());
        assertThat(leaves.keySet())
                .as(
                        "a new command belongs to one of the sets of this test; if it changes many things, it uses BulkOptions")
                .containsExactlyInAnyOrderElementsOf(known);
        leaves.forEach((name, command) -> assertThat(command.getCommandSpec().args().stream()
                        .filter(ArgSpec::isOption)
                        .anyMatch(option -> option.userObject() instanceof Field field
                                && field.getDeclaringClass() == BulkOptions.class))
                .as(name)
                .isEqualTo(bulk().containsKey(name)));
    }

    private static void leaves(CommandLine command, String path, Map<String, CommandLine> leaves) {
        Map<String, CommandLine> below = command.getSubcommands();
        if (below.isEmpty()) {
            leaves.put(path, command);
        }
        below.forEach((name, each) -> leaves(each, path.isEmpty() ? name : path + " " + name, leaves));
    }

    /** Some commands have nothing to change here, so they do not ask. */
    @Test
    void eachSaysHowMuchAndAsksOnATerminal() {
        Set<String> empty = Set.of("cancel workflow", "import", "scale queue", "trim series", "cancel failures");
        System.setProperty("pawl.terminal", "true");
        System.setProperty("pawl.keyboard", "true");
        String jobs = program.run("jobs", "--json").out();
        bulk().forEach((name, arguments) -> {
            System.setIn(new ByteArrayInputStream("n\n".getBytes(StandardCharsets.UTF_8)));
            List<String> words = new ArrayList<>(List.of(name.split(" ")));
            words.addAll(arguments);
            Program.Result asked = program.run(words.toArray(String[]::new));
            if (empty.contains(name)) {
                assertThat(asked.err()).as(name).doesNotContain("Continue?");
            } else {
                assertThat(asked.err()).as(name).endsWith(". Continue? [y/N] ").containsPattern("[0-9]|series numbers");
                assertThat(asked.out()).as(name).contains("nothing was changed");
                assertThat(asked.exit()).as(name).isOne();
            }
        });
        assertThat(program.run("jobs", "--json").out()).isEqualTo(jobs);
        assertThat(program.run("retry", "failures", group, "--yes").out())
                .contains("1 job(s) of group " + group + " are available now");
        System.setIn(new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(program.run("cancel", "batch", batch).out()).contains("1 job(s) cancelled");
    }

    /** If there is nothing to change, the command does not ask: it says so, with the same exit code as in a script. */
    @Test
    void whereNothingIsToBeDoneATerminalShowsWhatAScriptShows() {
        List<List<String>> commands = List.of(
                List.of("scale", "queue", "unknown", "3"),
                List.of("import", "--from", "quartz"),
                List.of("cancel", "jobs", "--queue", "unknown"),
                List.of("trim", "series", "numbers"));
        for (List<String> words : commands) {
            Program.Result script = program.run(words.toArray(String[]::new));
            System.setProperty("pawl.terminal", "true");
            System.setProperty("pawl.keyboard", "true");
            assertThat(program.run(words.toArray(String[]::new)))
                    .as("%s", words)
                    .isEqualTo(script);
            forgetTheTerminal();
        }
        System.setProperty("pawl.terminal", "true");
        System.setProperty("pawl.keyboard", "true");
        Program.Result unknown = program.run("scale", "queue", "unknown", "3");
        assertThat(unknown.exit()).isOne();
        assertThat(unknown.err()).contains("queue unknown has no live worker that can be scaled");
    }

    @Test
    void whoDeclinesLearnsWhetherAllQueuesArePaused() {
        for (boolean paused : new boolean[] {false, true}) {
            for (String verb : List.of("pause", "resume")) {
                System.setProperty("pawl.terminal", "true");
                System.setProperty("pawl.keyboard", "true");
                System.setIn(new ByteArrayInputStream("n\n".getBytes(StandardCharsets.UTF_8)));
                assertThat(program.run(verb, "all", "--json").out())
                        .as("%s %s", verb, paused)
                        .contains("\"paused\" : " + paused);
                forgetTheTerminal();
            }
            program.run("pause", "all");
        }
    }

    /** The prompt appears even if the queues cannot be counted. */
    @Test
    void theQuestionOfAllQueuesDoesNotDependOnACount() throws Exception {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl(program.url());
        try (Connection connection = file.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE pawl_lane RENAME TO gone");
        }
        System.setProperty("pawl.terminal", "true");
        System.setProperty("pawl.keyboard", "true");
        System.setIn(new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)));
        Program.Result done = program.run("pause", "all");
        assertThat(done.err()).contains("this pauses all queues, and queues created later. Continue?");
        assertThat(done.out()).contains("all queues are paused");
    }

    /** Scripts are not asked. */
    @Test
    void withoutATerminalNothingIsAsked() throws Exception {
        Program.Result done = program.run("retry", "failures", group);
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).contains("1 job(s) of group " + group + " are available now");
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl(program.url());
        try (JobQueue queue = JobQueue.open(file);
                Worker worker = Worker.on(queue)
                        .handle(JobType.of("fail", String.class), (text, run) -> {})
                        .start()) {
            assertThat(worker.id()).isPositive();
            System.setProperty("pawl.terminal", "true");
            System.setProperty("pawl.keyboard", "true");
            System.setIn(new ByteArrayInputStream("n\n".getBytes(StandardCharsets.UTF_8)));
            assertThat(program.run("scale", "queue", "default", "3").err())
                    .contains("queue default has 1 live worker(s)", "Continue? [y/N]");
        }
    }
}
