package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The binding and reading of {@link Sql}, which depend on the driver. */
@WhiteBox
interface SqlContract extends Contract {
    /** Drivers prepare frequent statements on the server; then the types are known. */
    int OFTEN = 12;

    @Test
    default void nullsAreBoundWithoutTheirType() throws SQLException {
        Dialect dialect = fixture().database.dialect();
        Sql insert = dialect.statement("INSERT INTO pawl_limit (subject, name, max_concurrency) VALUES (?, ?, ?)");
        Sql update = dialect.statement(
                "UPDATE pawl_limit SET max_concurrency = ?, rate_period = ?, reason = ? WHERE name = ?");
        Sql read = dialect.statement("SELECT max_concurrency, rate_period, reason FROM pawl_limit WHERE name = ?");
        List<String> found = fixture().database.transaction(connection -> {
            insert.on(connection, "queue", "mail", null).run();
            for (int times = 0; times < OFTEN; times++) {
                assertThat(update.on(connection, 1 + times, 1L << 40, "down", "mail")
                                .update())
                        .isEqualTo(1);
                update.on(connection, null, null, null, "mail").run();
            }
            return read.on(connection, "mail")
                    .one(row -> List.of(row.getString(1) + " " + row.getString(2) + " " + row.getString(3)));
        });
        assertThat(found).containsExactly("null null null");
    }

    @Test
    default void idsAndMomentsAreBoundAsTheDatabaseTakesThem() throws SQLException {
        Dialect dialect = fixture().database.dialect();
        Instant due = Instant.parse("2100-01-01T00:00:00.123456Z");
        List<Long> ids = List.of(
                fixture().enqueue(EnqueueOptions.DEFAULTS.availableAt(due)),
                fixture().enqueue(EnqueueOptions.DEFAULTS.availableAt(due.plusNanos(1_000))));
        String jobs = "SELECT id FROM pawl_job WHERE " + dialect.anyOf("id", ids.size());
        List<Long> all = fixture()
                .database
                .autocommit(connection -> dialect.planned(jobs + " ORDER BY id")
                        .on(connection, ids)
                        .longs());
        assertThat(all).containsExactlyElementsOf(ids);
        Sql upTo = dialect.planned(jobs + " AND available_at <= " + dialect.moment() + " AND state = ?");
        List<Long> some = fixture()
                .database
                .autocommit(connection -> upTo.on(connection, ids, due, 0).longs());
        assertThat(some).containsExactly(ids.get(0));
    }

    @Test
    default void aBatchRunsOncePerItem() throws SQLException {
        Dialect dialect = fixture().database.dialect();
        Sql insert = dialect.statement("INSERT INTO pawl_limit (subject, name) VALUES (?, ?)");
        Sql read = dialect.statement("SELECT name FROM pawl_limit WHERE subject = ? ORDER BY name");
        fixture().database.transaction(connection -> {
            assertThat(insert.batch(connection, List.of("b", "a"), name -> Sql.values("kind", name)))
                    .hasSize(2);
            assertThat(insert.batch(connection, List.of(), name -> Sql.values("kind", name)))
                    .isEmpty();
            assertThat(read.on(connection, "kind").strings()).containsExactly("a", "b");
            assertThat(read.on(connection, "kind").first(row -> row.getString(1)))
                    .contains("a");
            assertThat(read.on(connection, "queue").first(row -> row.getString(1)))
                    .isEmpty();
            assertThat(read.on(connection, "queue").exists()).isFalse();
            return true;
        });
    }
}
