package dev.pawl.lab.command;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.cli.UsageException;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.ServerProbe;
import dev.pawl.lab.database.Target;
import dev.pawl.lab.report.Reports;
import dev.pawl.lab.run.Environment;
import dev.pawl.lab.scenario.Scenario;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

@Command(
        name = "scenario",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Demonstrate what the sources say about queues in databases, each point by a run: herd, surge, pollers,",
            "batch-atomic, two-tables, growth, manager-death, time-stamp-lock, safety-net, slot-race.",
            "",
            "Prints what the source says and a table of what was seen. All of them take about four minutes.",
            ""
        })
final class ScenarioCommand implements Callable<Integer> {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "Which scenarios. Default: all")
    private List<String> names = List.of();

    @Option(
            names = "--db",
            paramLabel = "NAME|URL",
            description = "postgresql, mariadb, sqlite (embedded), or a JDBC URL. Default: for each scenario its own")
    private @Nullable String database;

    @Option(
            names = "--scale",
            paramLabel = "SHARE",
            defaultValue = "1",
            description = "More or less of everything, from 0.01 to 10. Default: ${DEFAULT-VALUE}")
    private double scale = 1;

    @Option(names = "--out", paramLabel = "FILE", description = "Also write what was seen to this file (JSON).")
    private @Nullable Path out;

    /**
     * The result of a scenario, for scripts.
     *
     * @param scenario its name
     * @param database with its version
     * @param says the source's claim
     * @param head of the columns
     * @param rows with the same number of cells each
     */
    record Shown(String scenario, String database, String says, List<String> head, List<List<String>> rows) {}

    /**
     * The whole file.
     *
     * @param environment of the run
     * @param scale of the run
     * @param shown in the order in which they ran
     */
    record ShownFile(Environment environment, double scale, List<Shown> shown) {}

    @Override
    public Integer call() throws Exception {
        if (!(scale >= 0.01 && scale <= 10)) {
            throw new UsageException("--scale " + scale + " is not valid: use 0.01 to 10");
        }
        PrintWriter terminal = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (out != null && Files.exists(out)) {
            throw new UsageException(out + " is there already: give another --out");
        }
        List<Scenario> chosen = chosen();
        Environment here = Environment.here();
        List<Shown> all = new ArrayList<>();
        for (Scenario scenario : chosen) {
            Target target = target(scenario);
            err.println((all.size() + 1) + "/" + chosen.size() + " " + scenario.name() + " on " + target.name());
            Shown shown = show(scenario, target);
            all.add(shown);
            terminal.println(Reports.scenario(
                    shown.scenario(), shown.says(), "On " + shown.database(), shown.head(), shown.rows()));
            terminal.flush();
            if (out != null) {
                Files.writeString(out, JSON.writeValueAsString(new ShownFile(here, scale, all)));
            }
        }
        if (out != null) {
            terminal.println("Results: " + out);
        }
        return 0;
    }

    private List<Scenario> chosen() {
        List<String> known = Scenario.all().stream().map(Scenario::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UsageException("there is no scenario '" + name + "': use " + String.join(", ", known));
            }
        }
        List<Scenario> wanted = Scenario.all().stream()
                .filter(scenario -> names.isEmpty() || names.contains(scenario.name()))
                .toList();
        String given = database;
        if (given == null) {
            return wanted;
        }
        Target target = Failures.reported(() -> Target.of(given));
        List<Scenario> possible = wanted.stream()
                .filter(scenario -> scenario.products().contains(target.product()))
                .toList();
        if (!names.isEmpty() && possible.size() < wanted.size()) {
            throw new UsageException("not all of " + String.join(", ", names) + " can be shown on " + target.product()
                    + ": only "
                    + (possible.isEmpty()
                            ? "others"
                            : String.join(
                                    ", ", possible.stream().map(Scenario::name).toList())));
        }
        if (possible.isEmpty()) {
            throw new UsageException("nothing of " + String.join(", ", names) + " can be shown on " + target.product()
                    + ": use " + String.join(", ", wanted.get(0).products()));
        }
        return possible;
    }

    private Target target(Scenario scenario) {
        String name = database != null
                ? database
                : Target.EMBEDDED.stream()
                        .filter(scenario.products()::contains)
                        .findFirst()
                        .orElseThrow();
        return Failures.reported(() -> Target.of(name));
    }

    /**
     * {@return the description of a scenario, with a note if the run is scaled, because the numbers in the description are those of a whole
     * run}
     */
    static String description(Scenario scenario, double scale) {
        return scale == 1 ? scenario.description() : scenario.description() + " This run is scaled by " + scale + ".";
    }

    private Shown show(Scenario scenario, Target target) throws Exception {
        try (Scratch scratch = target.scratch();
                HikariDataSource pool = scratch.pool(1)) {
            String version = new ServerProbe(scratch, pool).version();
            Scenario.Result seen = scenario.run(scratch, scale);
            return new Shown(scenario.name(), version, description(scenario, scale), seen.head(), seen.rows());
        }
    }
}
