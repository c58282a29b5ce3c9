package dev.pawl.internal.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.database.postgres.PostgresDialect;
import dev.pawl.internal.jdbc.SchemaName;
import dev.pawl.internal.jdbc.TableNames;
import org.junit.jupiter.api.Test;

class EnqueueSqlTest {
    /** The prefix of tables must not change the name of the schema. */
    @Test
    void theChannelIsTheOneOnWhichWorkersListen() {
        PostgresDialect dialect =
                new PostgresDialect("18", TableNames.onPostgres("acme_", new SchemaName("pawl_prod", "\"pawl_prod\"")));
        assertThat(dialect.channel()).isEqualTo("acme_jobs.pawl_prod");
        assertThat(EnqueueSql.statements(dialect))
                .anySatisfy(sql -> assertThat(sql).contains("pg_notify('" + dialect.channel() + "', queue)"));
    }
}
