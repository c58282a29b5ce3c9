package dev.pawl.manager;

import dev.pawl.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.function.Function;
import javax.sql.DataSource;

/** Tells from an external property that a job is done: a file exists, a row exists, or anything else. Thread-safe. */
@FunctionalInterface
public interface CompletionProbe {
    /**
     * Asked about one job of a kind after the other: one that takes long delays those after it, but no other kind.
     *
     * @param job that a worker has taken
     * @return true if it is done
     * @throws Exception if that cannot be told now; the probe will be asked again
     */
    boolean isDone(Job job) throws Exception;

    /** {@return done when a file exists} */
    static CompletionProbe file(Function<Job, Path> file) {
        return job -> Files.exists(file.apply(job));
    }

    /**
     * @param dataSource where to ask
     * @param select with one placeholder, for the job's id
     * @return done when the select returns a row
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
