package dev.pawl.cli;

import dev.pawl.internal.jdbc.Failures;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** The business table of the demonstration: one row per file of a run, written by the jobs. */
final class DemoTable {
    private final DataSource dataSource;

    DemoTable(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void create() {
        Failures.wrapped("cannot create the table pawl_demo_file", () -> {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                // No unique key on the file: a repeated job should be visible, not refused.
                statement.execute("""
                        CREATE TABLE IF NOT EXISTS pawl_demo_file (
                            run varchar(40) NOT NULL, file varchar(2000) NOT NULL, sha256 char(64) NOT NULL,
                            size bigint NOT NULL, line_count bigint NOT NULL, job_id bigint NOT NULL)
                        """);
                return true;
            }
        });
    }

    /** Runs in the job's transaction. */
    static void insert(Connection connection, String run, URI file, FileDigest digest, long jobId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO pawl_demo_file (run, file, sha256, size, line_count, job_id) VALUES (?, ?, ?, ?, ?, ?)")) {
            statement.setString(1, run);
            statement.setString(2, file.toString());
            statement.setString(3, digest.sha256());
            statement.setLong(4, digest.size());
            statement.setLong(5, digest.lines());
            statement.setLong(6, jobId);
            statement.executeUpdate();
        }
    }

    /**
     * The rows of a run.
     *
     * @param digests by file
     * @param rows one per effective execution
     */
    record Contents(Map<URI, FileDigest> digests, long rows) {}

    Contents read(String run) {
        return Failures.wrapped("cannot read the table pawl_demo_file", () -> {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement statement = connection.prepareStatement(
                            "SELECT file, sha256, size, line_count FROM pawl_demo_file WHERE run = ?")) {
                statement.setString(1, run);
                Map<URI, FileDigest> digests = new HashMap<>();
                long count = 0;
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        count++;
                        digests.put(
                                URI.create(rows.getString(1)),
                                new FileDigest(rows.getString(2), rows.getLong(3), rows.getLong(4)));
                    }
                }
                return new Contents(digests, count);
            }
        });
    }
}
