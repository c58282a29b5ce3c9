package dev.pawl.internal.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.mysql.MySqlDialect;
import dev.pawl.internal.store.postgres.PostgresDialect;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sqlite.SqliteDialect;
import java.util.List;
import org.junit.jupiter.api.Test;

class MigrationsTest {
    @Test
    void everyDatabaseHasTheSameStepsAndNoStatementIsCutInTwo() {
        for (Dialect dialect : List.of(
                new PostgresDialect("18", "app_"),
                new MySqlDialect("9", true, "app_"),
                new SqliteDialect("3.50", "jdbc:sqlite:none", "app_"))) {
            List<Migration> steps = Migrations.of(dialect);
            assertThat(steps)
                    .extracting(Migration::fileName)
                    .containsExactly("V1__jobs.sql", "V2__slots.sql", "V3__assignments.sql");
            assertThat(steps.stream().flatMap(step -> step.statements().stream()))
                    .allSatisfy(statement -> {
                        String code = statement.replaceAll("(?m)--.*$", "").strip();
                        assertThat(code).startsWith("CREATE ").doesNotContain("pawl_");
                        assertThat(code.chars().filter(c -> c == '(').count())
                                .isEqualTo(code.chars().filter(c -> c == ')').count());
                    });
        }
    }
}
