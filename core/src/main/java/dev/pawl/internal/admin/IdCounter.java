package dev.pawl.internal.admin;

import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.words.ShardIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Compares the counter of ids with the existing jobs. If a dump is restored without its counter, the counter starts from the beginning. New
 * jobs then get ids that other jobs have, or ids that claims have already passed, so that no claim finds these jobs.
 */
final class IdCounter {
    private IdCounter() {}

    static void examine(Connection connection, Dialect dialect, TableCare tables, Findings findings)
            throws SQLException {
        tables.examineIds(connection, dialect, findings);
        OptionalLong counter = tables.lastId(connection, dialect);
        if (counter.isEmpty()) {
            return;
        }
        long bound = ShardIds.firstAutoIncrementId(ShardIds.shardOf(counter.getAsLong()));
        long there = greatest(connection, dialect, bound);
        // read after the job, whose id was drawn before others could see it
        long last = tables.lastId(connection, dialect).orElse(there);
        findings.expect(
                "ids",
                "counted up to " + last,
                last >= there,
                Level.WARNING,
                "but there is a job " + there
                        + ", as after a dump that was restored without the counter; new jobs may wait for"
                        + " ever where no claim looks any more, or be refused, until the owner of the tables runs: "
                        + dialect.sql(tables.continueIdsAfter(there)));
    }

    /** {@return the greatest id of a job below a bound; 0 if there is none} */
    static long greatest(Connection connection, Dialect dialect, long bound) throws SQLException {
        String found = Findings.text(connection, dialect.sql("""
                SELECT MAX(id) FROM (
                  SELECT MAX(id) AS id FROM pawl_job WHERE id < %1$s
                   UNION ALL SELECT MAX(id) FROM pawl_job_history WHERE id < %1$s
                   %2$s) ids
                """.formatted(
                        Long.toString(bound),
                        JobPlaces.sql().stream()
                                .flatMap(place -> place.greatestIds().stream())
                                .map(ids -> "UNION ALL " + ids)
                                .collect(Collectors.joining(" ")))));
        return found == null ? 0 : Long.parseLong(found);
    }
}
