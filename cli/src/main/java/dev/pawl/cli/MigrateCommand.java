package dev.pawl.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.internal.migrate.Migration;
import dev.pawl.internal.migrate.Migrations;
import dev.pawl.internal.migrate.Migrator;
import dev.pawl.internal.store.Stores;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Failures;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = "Create the tables, or bring them up to date. Safe to run at any time, from many programs.")
final class MigrateCommand extends CliCommand {
    @Option(names = "--print", description = "Only print the SQL, in files as Flyway names them; change nothing.")
    private boolean print;

    @Override
    public Integer call() {
        try (HikariDataSource pool = database().pool(2)) {
            Dialect dialect = Failures.wrapped(
                    "cannot examine the database",
                    () -> Stores.dialect(pool, database().prefix()));
            if (print) {
                for (Migration migration : Migrations.of(dialect)) {
                    out().println("-- " + migration.fileName());
                    out().println(migration.script());
                }
                return 0;
            }
            List<Migration> applied = Failures.wrapped("cannot migrate", () -> new Migrator(pool, dialect).migrate());
            if (output().isJson()) {
                output().json(
                                out(),
                                Map.of(
                                        "version", Migrations.newest(),
                                        "applied",
                                                applied.stream()
                                                        .map(Migration::fileName)
                                                        .toList()));
            } else {
                applied.forEach(migration -> out().println("applied " + migration.fileName()));
                out().println(database().shownUrl() + " is at version " + Migrations.newest());
            }
            return 0;
        }
    }
}
