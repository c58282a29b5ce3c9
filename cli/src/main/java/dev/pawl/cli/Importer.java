package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Imports the schedules and waiting jobs of another library from its tables; found by {@link java.util.ServiceLoader}.
 * The implementation is in the artifact {@code pawl-importers}, because only programs that migrate to Pawl need it. Implementations
 * have a public constructor without parameters and keep no state.
 */
public interface Importer {
    /**
     * The location of the other library's data.
     *
     * @param peer quartz, db-scheduler or jobrunr
     * @param tables the prefix of its tables; for db-scheduler the table; null for the default one
     * @param zone the time zone of db-scheduler's timestamps, if the column has none
     * @param base64 whether data of db-scheduler that is neither JSON nor serialized Java is imported as a Base64 string, instead of being
     *     refused
     * @param copy whether the other library keeps its rows; otherwise its tables must be in the same database as the target
     */
    record Source(String peer, @Nullable String tables, ZoneId zone, boolean base64, boolean copy) {}

    /**
     * The queue that receives the jobs.
     *
     * @param queue on the database to import into
     * @param pool of that database, with at least two connections
     * @param uniqueKeys Pawl's table of unique keys, as statements name it
     * @param options of every job
     */
    record Target(JobQueue queue, DataSource pool, String uniqueKeys, EnqueueOptions options) {}

    /**
     * Imports everything, or shows what would be imported.
     *
     * @param source the other library's data
     * @param from a connection to it; the caller closes it
     * @param target the receiving queue
     * @param kinds by the other library's names
     * @param dryRun whether to change nothing
     * @return the actual or expected result for each row, or for several similar jobs
     * @throws SQLException if the other library's tables cannot be read, or a database fails; committed imports remain,
     *     and another import continues from there
     */
    List<ImportLine> run(Source source, Connection from, Target target, Map<String, String> kinds, boolean dryRun)
            throws SQLException;
}
