package dev.pawl.manager;

import dev.pawl.api.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.function.Function;
import javax.sql.DataSource;

/** Determines from an external property whether a job is done: a file exists, a row exists, or anything else. Thread-safe. */
@FunctionalInterface
public interface CompletionProbe {
    /**
     * Checks one job. Jobs of a kind are probed one after the other: a slow check delays later ones of that kind, but
     * no other kind.
     *
     * @param job that a worker has taken
     * @return true if it is done
     * @throws Exception if this cannot be determined now; the probe is called again
     */
    boolean isDone(Job job) throws Exception;

    /** {@return a probe by which a job is done if a file exists} */
    static CompletionProbe file(Function<Job, Path> file) {
        return job -> Files.exists(file.apply(job));
    }

    /**
     * @param dataSource to query
     * @param select with one placeholder, for the job's id
     * @return a probe by which a job is done if the select returns a row
     */
    static CompletionProbe row(DataSource dataSource, String select) {
        return job -> {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement statement = connection.prepareStatement(select)) {
                statement.setLong(1, job.id());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next();
                }
            }
        };
    }
}
