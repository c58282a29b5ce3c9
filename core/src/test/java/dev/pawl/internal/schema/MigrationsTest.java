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
            assertThat(steps)
                    .extracting(Migration::fileName)
                    .containsExactly(
                            "V1__jobs.sql",
                            "V2__slots.sql",
                            "V3__assignments.sql",
                            "V4__starts_and_kinds.sql",
                            "V5__worker_kinds.sql",
                            "V6__remote_workers.sql",
                            "V7__lanes.sql",
                            "V8__headers.sql",
                            "V9__schedules.sql",
                            "V10__limits.sql",
                            "V11__wishes.sql",
                            "V12__keys.sql",
                            "V13__rules.sql",
                            "V14__key_rates.sql",
                            "V15__scopes.sql",
                            "V16__batches.sql",
                            "V17__watch.sql",
                            "V18__steps.sql",
                            "V19__key_holds.sql",
                            "V20__workflows.sql",
                            "V21__batch_holds.sql",
                            "V22__recounts.sql",
                            "V23__batch_growth.sql",
                            "V24__key_places.sql",
                            "V25__stacks.sql",
                            "V26__runs.sql",
                            "V27__turns.sql",
                            "V28__claim_tokens.sql");
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
