package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.JobQueue;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * How many rows each statement of each API call reads if the tables are full and have no statistics. Without statistics, a planner may
 * prefer a partial index, and read all of it to find one job.
 */
interface RowsReadContract extends Contract {
    int CROWD = 16_000;
    /** Enough for a page or a slice, and the linked rows of each of its jobs. */
    long MAX_ROWS = 8_000;

    Pattern ID = Pattern.compile("(?<![\\w.])(?:\\w\\.)?id = (?:\\?|ANY)");
    Pattern STATE = Pattern.compile("(?<![\\w.])(?:\\w\\.)?state (?:= [0-7]|IN \\()");
    Pattern END = Pattern.compile("\\b(?:SELECT|RETURNING|ORDER BY)\\b");

    /** {@return whether a statement finds a job by its id, but also has a condition that matches a partial index} */
    private static boolean offersAnotherIndex(String sql) {
        return sql.contains("pawl_job ")
                && Arrays.stream(sql.split("\\bWHERE\\b", -1))
                        .skip(1)
                        .map(condition -> END.split(condition, 2)[0])
                        .anyMatch(condition -> ID.matcher(condition).find()
                                && STATE.matcher(condition).find());
    }

    /** Statements that may read a whole table or index, and why. */
    Map<String, String> READ_ALL = Map.of(
            "SELECT queue, SUM\\(CASE.* GROUP BY queue.*",
                    "counts all queues exactly, where that is asked for or there are few jobs",
            ".* LIMIT 20001\\) few", "finds out whether there are few",
            ".*_job .* LIMIT (\\(SELECT CAST\\()?10+\\b.*\\) waiting", "counts what waits up to 10,000, or a million",
            "SELECT queue, state, COUNT.* GROUP BY queue, state.*", "counts what has ended exactly, as is asked for",
            ".* REPLACE\\(tags.*|.*\\(REPLACE\\(tags.*", "looks for a tag, which no index has",
            ".* ORDER BY id DESC LIMIT 1 OFFSET 30000", "finds the last of 30,000",
            ".*pawl_attempt a JOIN .* LIMIT 1000", "looks for a thousand attempts of a queue",
            "SELECT b\\.id, b\\.parent_id.*", "counts the jobs of batches that are not sealed",
            "DELETE FROM \\w*pawl_step WHERE job_id = ANY.*",
                    "PostgreSQL reads so small a table whole for ten jobs that it expects");

    private static boolean mayReadAll(String sql) {
        String line = sql.replaceAll("\\s+", " ").strip();
        return READ_ALL.keySet().stream().anyMatch(line::matches);
    }

    @Test
    default void everyCallOfTheApiIsInTheList() {
        assertThat(ApiCalls.forgotten()).isEmpty();
        assertThat(ApiCalls.all()).extracting(ApiCall::name).doesNotHaveDuplicates();
    }

    @Test
    default void noCallReadsManyRowsForAFew(Fixture fixture) throws Exception {
        fixture.schemaChanges(); // tables too large to share with other tests
        CountingDataSource source = new CountingDataSource(fixture);
        fill(fixture);
        Set<String> large = new LinkedHashSet<>();
        // The test fails if no statement matches, because the search for statements that offer another index would then
        // find nothing.
        DataSource watched = TamperedDataSource.of(
                source.dataSource(),
                fixture.statements.at("pawl_job .*" + ID, sql -> {}),
                fixture.statements.at("pawl_job .*" + STATE, sql -> {}));
        try (JobQueue queue = JobQueue.builder(watched)
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            ApiTargets targets = new ApiTargets(fixture, source.dataSource(), queue);
            for (ApiCall each : ApiCalls.all()) {
                List<CountingDataSource.Read> unused = source.take();
                Throwable failure = catchThrowable(() -> each.call().on(targets));
                if (failure != null) {
                    large.add(each.name() + " fails: " + failure);
                }
                for (CountingDataSource.Read read : source.take()) {
                    if (fixture.product == Product.POSTGRESQL && offersAnotherIndex(read.sql())) {
                        large.add(each.name()
                                + " finds a job by its id, and lets the planner use an index on its state instead:"
                                + " say dialect.waits() or runs(): " + read.sql());
                    }
                    if (read.rows() > MAX_ROWS && !mayReadAll(read.sql())) {
                        large.add(each.name() + " reads " + read.rows() + " rows: " + read.sql() + "\n"
                                + String.join("\n", read.plan()));
                    }
                }
            }
        }
        assertThat(large).isEmpty();
    }

    private static void fill(Fixture fixture) throws Exception {
        ApiTargets seeds = new ApiTargets(fixture, fixture.pool, fixture.queue);
        long keyed = seeds.keyed();
        seeds.waiting();
        seeds.cancelled();
        seeds.waitingForSignal();
        seeds.batch();
        fixture.queue.enqueueAll(
                Fixture.GREET, IntStream.range(0, 8).mapToObj(n -> "in a lane").toList());
        crowd(fixture, "pawl_lane_job", "id", 500_000_000L, "lane > 0");
        crowd(fixture, "pawl_job", "id", 1_000_000_000L, "unique_key IS NULL AND id <> " + keyed);
        crowd(fixture, "pawl_job_history", "id", 2_000_000_000L, "id > 0");
        crowd(fixture, "pawl_keyed", "job_id", 1_000_000_000L, "job_id = " + keyed + " OR job_id > 1000000000");
        crowd(fixture, "pawl_step", "job_id", 1_000_000_000L, "job_id > 0");
        crowd(fixture, "pawl_batch_job", "job_id", 1_000_000_000L, "job_id > 0");
    }

    /** Copies rows until the table has {@link #CROWD} of them. The copies have keys above all issued keys. */
    private static void crowd(Fixture fixture, String table, String key, long from, String condition)
            throws SQLException {
        List<String> columns = columns(fixture, table);
        String others = String.join(
                ", ", columns.stream().filter(name -> !name.equals(key)).toList());
        long shift = from;
        for (long rows = fixture.count(table); rows < CROWD; rows = fixture.count(table)) {
            fixture.execute("INSERT INTO " + table + " (" + key + ", " + others + ") SELECT " + key + " + " + shift
                    + ", " + others + " FROM " + table + " WHERE (" + condition + ")"
                    + (shift == from ? "" : " AND " + key + " > " + from));
            shift = fixture.longOf("SELECT MAX(" + key + ") - " + from + " FROM " + table);
        }
    }

    private static List<String> columns(Fixture fixture, String table) throws SQLException {
        try (Connection connection = fixture.pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        fixture.database.dialect().sql("SELECT * FROM " + table + " WHERE 1 = 0"))) {
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                names.add(row.getMetaData().getColumnName(i));
            }
            return names;
        }
    }
}
