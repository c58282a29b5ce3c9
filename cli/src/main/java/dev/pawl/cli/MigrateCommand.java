package dev.pawl.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.schema.LeftBehind;
import dev.pawl.internal.schema.Migration;
import dev.pawl.internal.schema.Migrations;
import dev.pawl.internal.schema.Migrator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description =
                "Create the tables, or bring them up to date. Safe to run at any time, even several times at once.")
final class MigrateCommand extends CliCommand {
    @Option(
            names = "--print",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "PRODUCT",
            description =
                    "Print the SQL for your own Flyway or Liquibase, for postgresql, mysql, mariadb or sqlite; by default for"
                            + " the product that --db names. Needs no server and changes nothing.")
    private @Nullable String print;

    @Override
    boolean needsDatabase() {
        return print == null;
    }

    @Override
    public Integer call() {
        if (print != null) {
            String script = Migrations.script(dialect(print));
            if (output().isJson()) {
                output().json(out(), JsonForm.object("sql", script));
            } else {
                out().print(script);
                out().flush();
            }
            return 0;
        }
        try (HikariDataSource pool = database().pool(2)) {
            DatabaseProduct product = database().product(pool);
            Migrator migrator = new Migrator(pool, product.dialect(), product.schema());
            List<Migration> applied = Failures.wrapped("cannot migrate", () -> migrator.migrate(this::warn));
            int version = Failures.wrapped("cannot read the version", migrator::version);
            if (output().isJson()) {
                output().json(
                                out(),
                                Map.of(
                                        "version",
                                        version,
                                        "applied",
                                        applied.stream()
                                                .map(Migration::fileName)
                                                .toList()));
            } else {
                applied.forEach(migration -> out().println("applied " + migration.fileName()));
                out().println(database().shownUrl() + " is at version " + version);
            }
            database().beginIds();
            return 0;
        }
    }

    /** Does not ask for confirmation: a deployment script could not answer. */
    private void warn(LeftBehind left) {
        err().println("warning: " + left.warning());
        err().flush();
    }

    private Dialect dialect(String named) {
        String product = named.isEmpty() ? database().url().product() : named.toLowerCase(Locale.ROOT);
        try {
            return database().dialect(product);
        } catch (SchemaException e) {
            throw new UsageException("--print: " + e.getMessage());
        }
    }
}
