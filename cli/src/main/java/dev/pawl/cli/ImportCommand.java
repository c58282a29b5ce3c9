package dev.pawl.cli;

import static dev.pawl.cli.Output.Column.left;
import static dev.pawl.cli.Output.Column.right;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description = {
            "Import the schedules and waiting jobs of Quartz, db-scheduler or JobRunr. Check with --dry-run first.",
            "",
            "By default they are moved: the transaction that imports a row deletes it from the other library's tables, so both",
            "systems may run at the same time and nothing runs twice. That needs both in one database. With --copy the other tables",
            "stay unchanged, and everything runs twice if the other system still runs.",
            "",
            "Exit code 1 if something was refused; it stays where it is, and the note says why."
        })
final class ImportCommand extends CliCommand {
    private static final Set<String> PEERS = Set.of("quartz", "db-scheduler", "jobrunr");

    @Option(
            names = "--from",
            required = true,
            paramLabel = "quartz|db-scheduler|jobrunr",
            description = "Whose tables to read.")
    private String from = "";

    @Option(
            names = "--source",
            paramLabel = "URL",
            description = "The database with those tables, written as for --db; needs --copy. Default: that of --db")
    private @Nullable String source;

    @Option(
            names = "--source-tables",
            paramLabel = "NAME",
            description = {
                "Name of its tables: for Quartz and JobRunr the prefix, for db-scheduler the table.",
                "Default: QRTZ_ (Quartz), none (JobRunr: jobrunr_jobs and so on), scheduled_tasks (db-scheduler)"
            })
    private @Nullable String tables;

    @Option(
            names = "--source-zone",
            paramLabel = "ZONE",
            description = {
                "Time zone of db-scheduler's program, by whose clock it writes times on MySQL and MariaDB; UTC if it has",
                "alwaysPersistTimestampInUTC. Default: that of this machine"
            })
    private @Nullable String zone;

    @Option(
            names = "--map",
            paramLabel = "NAME=KIND",
            description = {
                "The kind for a name of the other: a job class of Quartz, a task of db-scheduler, a class and method of",
                "JobRunr, as --dry-run shows them; may be repeated. Default: that name, with . for $"
            })
    private Map<String, String> kinds = new LinkedHashMap<>();

    @Option(
            names = "--copy",
            description = "Leave the other's tables as they are. A row is copied once, however often this is run.")
    private boolean copy;

    @Option(names = "--dry-run", description = "Only show what would happen to everything.")
    private boolean dryRun;

    @Option(
            names = "--base64",
            description = "db-scheduler's data that is neither JSON nor serialized Java becomes a JSON string in"
                    + " Base64, instead of being refused.")
    private boolean base64;

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            defaultValue = "default",
            description = "The queue of the jobs. Default: ${DEFAULT-VALUE}")
    private String queue = "default";

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            defaultValue = "20",
            description = "Discarded after N failed attempts, 1 to 32767. Default: ${DEFAULT-VALUE}")
    private int maxAttempts = 20;

    @Mixin
    private CreateOption create = new CreateOption();

    @Mixin
    private BulkOptions bulk = new BulkOptions();

    @Override
    public Integer call() {
        create.applyTo(database());
        Importer importer = ServiceLoader.load(Importer.class)
                .findFirst()
                .orElseThrow(() -> new NotFoundException("'pawl import' needs the artifact pawl-importers, which is not"
                        + " here: add dev.pawl:pawl-importers to the class path"));
        Importer.Source peer = peer();
        EnqueueOptions options = EnqueueOptions.DEFAULTS.queue(queue).maxAttempts(maxAttempts);
        try (DatabaseOptions.Session session =
                dryRun ? database().openExisting(3) : database().open(3)) {
            Dialect ours = database().product(session.pool()).dialect();
            Importer.Target target =
                    new Importer.Target(session.queue(), session.pool(), ours.sql("pawl_unique"), options);
            if (!dryRun) {
                OptionalInt refusal =
                        bulk.refusal(this, asJson(List.of()), () -> extent(run(importer, peer, target, true)));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
            }
            List<ImportLine> lines = run(importer, peer, target, dryRun);
            show(lines);
            return lines.stream().anyMatch(line -> line.result() == ImportLine.Result.REFUSED) ? 1 : 0;
        }
    }

    private BulkOptions.Extent extent(List<ImportLine> plan) {
        long count = count(plan, ImportLine.Result.IMPORTED);
        return new BulkOptions.Extent(
                count,
                String.format(
                        Locale.ROOT,
                        "%,d schedules and waiting jobs will be imported from %s, of which %s; --dry-run shows them",
                        count,
                        from,
                        copy ? "it keeps its own" : "its own are deleted"));
    }

    private List<ImportLine> run(Importer importer, Importer.Source peer, Importer.Target target, boolean dry) {
        try (Connection connection = source == null
                ? target.pool().getConnection()
                : DatabaseUrl.of("--source", source).connect()) {
            return importer.run(peer, connection, target, kinds, dry);
        } catch (SQLException e) {
            throw new UsageException("cannot import from " + from + ": " + e.getMessage()
                    + " (are its tables in this database, with these names? See --source and --source-tables)");
        }
    }

    private Importer.Source peer() {
        if (!PEERS.contains(from)) {
            throw new UsageException(
                    "--from '" + Texts.cut(from) + "' is not valid: use quartz, db-scheduler or jobrunr");
        }
        if (source != null && !copy && !dryRun) {
            throw new UsageException(
                    "rows of another database cannot be moved in one transaction: add --copy, and stop " + from
                            + " first, or everything runs twice");
        }
        if (tables != null && !tables.matches("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z0-9_]{0,62})?")) {
            throw new UsageException(
                    "--source-tables " + Texts.cut(tables) + " is not valid: use letters, digits, _ and one .");
        }
        try {
            return new Importer.Source(
                    from, tables, zone == null ? ZoneId.systemDefault() : ZoneId.of(zone), base64, copy);
        } catch (DateTimeException e) {
            throw new UsageException("--source-zone " + Texts.cut(String.valueOf(zone))
                    + " is not a time zone: use a name such as Europe/Rome or UTC");
        }
    }

    private static Map<String, Object> counts(List<ImportLine> lines) {
        Map<String, Object> counts = new LinkedHashMap<>();
        for (ImportLine.Result result : ImportLine.Result.values()) {
            counts.put(JsonForm.word(result), count(lines, result));
        }
        return counts;
    }

    private Object asJson(List<ImportLine> lines) {
        return JsonForm.object("from", from, "dryRun", dryRun, "copy", copy, "counts", counts(lines), "rows", lines);
    }

    private void show(List<ImportLine> lines) {
        if (output().isJson()) {
            output().json(out(), asJson(lines));
            return;
        }
        Map<String, Object> counts = counts(lines);
        output().rows(
                        out(),
                        lines,
                        List.of(
                                left("WHAT", line -> JsonForm.word(line.what())),
                                right("COUNT", ImportLine::count),
                                left("NAME THERE", ImportLine::name),
                                left("KIND", ImportLine::kind),
                                left("ID", ImportLine::id),
                                left("WHEN", ImportLine::when),
                                left("RESULT", this::result),
                                Output.Column.words("NOTE", ImportLine::note)),
                        "nothing waits in " + from);
        out().println();
        out().println((dryRun ? "would be imported: " : "imported: ") + counts.get("imported") + ", already there: "
                + counts.get("already") + ", left to schedules: " + counts.get("covered") + ", refused: "
                + counts.get("refused"));
    }

    private String result(ImportLine line) {
        return (dryRun && line.result() == ImportLine.Result.IMPORTED ? "would be " : "")
                + line.result().name().toLowerCase(Locale.ROOT);
    }

    private static long count(List<ImportLine> lines, ImportLine.Result result) {
        return lines.stream()
                .filter(line -> line.result() == result)
                .mapToLong(ImportLine::count)
                .sum();
    }
}
