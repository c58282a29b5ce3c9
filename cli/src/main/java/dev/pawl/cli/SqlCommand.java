package dev.pawl.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
        name = "sql",
        mixinStandardHelpOptions = true,
        description = {
            "Print the SQL that lets other programs enqueue by SQL alone, for instance from triggers. It makes a function",
            "(PostgreSQL), a procedure (MySQL, MariaDB) or a view (SQLite) named pawl_enqueue. Give it to your database once:",
            "",
            "  pawl sql --db … | psql …",
            "",
            "Nothing is changed by this command."
        })
final class SqlCommand extends CliCommand {
    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            List<String> statements = session.queue().sqlToEnqueue();
            boolean delimits = statements.stream().anyMatch(one -> one.startsWith("CREATE PROCEDURE"));
            String end = delimits ? "\n//\n" : ";\n";
            report(
                    Map.of("statements", statements),
                    (delimits ? "DELIMITER //\n" : "")
                            + String.join(end + "\n", statements)
                            + end
                            + (delimits ? "DELIMITER ;" : ""));
            return 0;
        }
    }
}
