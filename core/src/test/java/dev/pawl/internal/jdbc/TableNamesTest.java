package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.schema.Migration;
import dev.pawl.internal.schema.Migrations;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableNamesTest {
    private static final SchemaName JOBS = new SchemaName("my jobs", "\"my jobs\"");

    private final TableNames postgres = TableNames.onPostgres("p_", JOBS);
    private final TableNames mySql = TableNames.onMySql("p_", new SchemaName("my jobs", "`my jobs`"));

    @Test
    void namesOfExistingTablesGetTheSchema() {
        assertThat(postgres.in("SELECT pawl_limit.x FROM pawl_limit, to_regclass('pawl_job'), pawl_job_part1_4"))
                .isEqualTo("SELECT \"my jobs\".p_limit.x FROM \"my jobs\".p_limit, to_regclass('\"my jobs\".p_job'),"
                        + " \"my jobs\".p_job_part1_4");
        assertThat(postgres.in("DROP INDEX pawl_job_ready")).isEqualTo("DROP INDEX \"my jobs\".p_job_ready");
        assertThat(mySql.in("DELETE pawl_job FROM pawl_job FORCE INDEX (pawl_job_ready)"))
                .isEqualTo("DELETE `my jobs`.p_job FROM `my jobs`.p_job FORCE INDEX (p_job_ready)");
    }

    @Test
    void otherNamesGetOnlyThePrefix() {
        assertThat(postgres.in("ALTER TABLE pawl_key RENAME TO pawl_keyed"))
                .isEqualTo("ALTER TABLE \"my jobs\".p_key RENAME TO p_keyed");
        assertThat(postgres.in("CREATE INDEX pawl_job_ready ON pawl_job (id)"))
                .isEqualTo("CREATE INDEX p_job_ready ON \"my jobs\".p_job (id)");
        assertThat(mySql.in("DELETE /*+ INDEX(pawl_job PRIMARY) */ FROM pawl_job"))
                .isEqualTo("DELETE /*+ INDEX(p_job PRIMARY) */ FROM `my jobs`.p_job");
        assertThat(mySql.in("WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'pawl_job' AND @pawl_before"))
                .isEqualTo("WHERE TABLE_SCHEMA = 'my jobs' AND TABLE_NAME = 'p_job' AND @p_before");
        assertThat(TableNames.prefixed("p_").in("FROM pawl_job")).isEqualTo("FROM p_job");
    }

    @Test
    void aSchemaNamedLikeATableIsNotReplaced() {
        assertThat(mySql.in("SELECT 1 FROM `pawl_test`.m_job, pawl_test.m_key, pawl_job"))
                .isEqualTo("SELECT 1 FROM `pawl_test`.m_job, pawl_test.m_key, `my jobs`.p_job");
    }

    /** A migration that adds a table must add its name to the list of qualified names. The list must not contain names of indexes. */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql"})
    void everyTableOfTheMigrationsIsInTheSchema(String product) {
        Pattern create = Pattern.compile(
                "(?:CREATE (?:TABLE|SEQUENCE)|ALTER TABLE|INTO|FROM|DROP TABLE) (?:IF (?:NOT )?EXISTS )?(\\S*)(?=pawl_)");
        Pattern index = Pattern.compile("(?:CREATE (?:UNIQUE )?INDEX|CONSTRAINT| KEY) (\\S*)(?=pawl_)");
        int tables = 0;
        for (Migration step : Migrations.of(Databases.dialect(product, "pawl_", "s"))) {
            Matcher created = create.matcher(step.script());
            while (created.find()) {
                assertThat(created.group(1)).as(step.script()).isEqualTo(product.equals("mysql") ? "`s`." : "\"s\".");
                tables++;
            }
            assertThat(index.matcher(step.script()).results().map(found -> found.group(1)))
                    .as(step.script())
                    .allMatch(String::isEmpty);
        }
        assertThat(tables).isGreaterThan(30);
    }

    @Test
    void channelsDifferWhereSchemasDo() {
        assertThat(channel("public")).isEqualTo("pawl_jobs");
        assertThat(channel("tenant")).isEqualTo("pawl_jobs.tenant");
        assertThat(channel("x".repeat(63))).hasSizeLessThan(63).isNotEqualTo(channel("y".repeat(63)));
        assertThat(Databases.dialect("postgresql", "pawl_").channel()).isEqualTo("pawl_jobs");
    }

    private static String channel(String schema) {
        return Databases.dialect("postgresql", "pawl_", schema).channel();
    }
}
