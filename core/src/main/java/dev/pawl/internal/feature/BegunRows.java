package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds waiting jobs that have begun their work, by rows of features. Such a job is not replaced, and no longer holds a unique key with the
 * scope {@code WAITING}.
 */
public final class BegunRows {
    private final List<Sql> find;
    private final String none;

    /**
     * @param dialect of the database
     * @param features whose links are asked
     */
    public BegunRows(Dialect dialect, List<Feature> features) {
        List<JobLink> links = features.stream()
                .flatMap(feature -> feature.links().stream())
                .filter(link -> !link.begun().isEmpty())
                .toList();
        find = links.stream()
                .map(link -> dialect.planned("SELECT 1 FROM " + link.table() + " WHERE " + link.jobColumn()
                        + " = ? AND " + link.begun() + " LIMIT 1"))
                .toList();
        none = links.stream()
                .map(link -> "NOT EXISTS (SELECT 1 FROM " + link.table() + " s WHERE s." + link.jobColumn()
                        + " = pawl_job.id AND s." + link.begun() + ") AND ")
                .collect(Collectors.joining());
    }

    /** {@return the beginning of an SQL condition on rows of {@code pawl_job}: they have not begun, and …} */
    public String noneAnd() {
        return none;
    }

    /**
     * @param connection in a transaction
     * @param jobId of a waiting job
     * @return whether it has begun
     * @throws SQLException from the driver
     */
    public boolean has(Connection connection, long jobId) throws SQLException {
        for (Sql sql : find) {
            if (sql.on(connection, jobId).exists()) {
                return true;
            }
        }
        return false;
    }
}
