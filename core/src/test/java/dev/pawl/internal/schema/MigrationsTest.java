package dev.pawl.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.database.mysql.MySqlDialect;
import dev.pawl.internal.database.postgres.PostgresDialect;
import dev.pawl.internal.database.sqlite.SqliteDialect;
import dev.pawl.internal.jdbc.Dialect;
import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationsTest {
    @Test
    void everyDatabaseHasTheSameMigrationsAndWholeStatements() {
        for (Dialect dialect : List.of(
                new PostgresDialect("18", "app_"),
                new MySqlDialect("9", true, "app_"),
                new SqliteDialect("3.50", "jdbc:sqlite:none", "app_"))) {
            List<Migration> steps = Migrations.of(dialect);
            assertThat(steps).extracting(Migration::fileName).containsExactly("V1__pawl.sql");
            assertThat(steps).allSatisfy(step -> {
                List<String> statements = step.statements();
                assertThat(statements.get(statements.size() - 1))
                        .as("what records the step comes last")
                        .containsPattern(
                                "INTO app_schema [^;]*VALUES \\(" + step.version() + ", '" + step.name() + "'");
            });
            assertThat(steps.stream().flatMap(step -> step.statements().stream()))
                    .allSatisfy(statement -> {
                        String code = statement.replaceAll("(?m)--.*$", "").strip();
                        assertThat(code)
                                .matches("(?s)(CREATE|ALTER|DROP|INSERT) .*")
                                .doesNotContain("pawl_", ";");
                        assertThat(code.chars().filter(c -> c == '(').count())
                                .isEqualTo(code.chars().filter(c -> c == ')').count());
                    });
        }
    }
}
