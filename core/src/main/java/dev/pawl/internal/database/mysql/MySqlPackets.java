package dev.pawl.internal.database.mysql;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.StatementSize;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Keeps statements below {@code max_allowed_packet}. A server that receives more closes the connection, which ends the caller's
 * transaction, and the driver reports only a socket error.
 */
final class MySqlPackets {
    /** Up to this size the server's limit is not read, because every server accepts it. */
    private static final long SMALL = 256 << 10;
    /** A generous estimate of the bytes of a statement besides the text. */
    private static final int ROW = 200;

    private MySqlPackets() {}

    /**
     * @param connection to the server
     * @param jobs for one statement
     * @return whether the server accepts them in one statement
     * @throws InvalidJobException if the server does not even accept a single job
     * @throws SQLException from the driver
     */
    static boolean fit(Connection connection, List<JobRequest> jobs) throws SQLException {
        long size = 0;
        for (JobRequest job : jobs) {
            size += StatementSize.bytes(job) + escapes(job.payload());
        }
        if (size <= SMALL) {
            return true;
        }
        long most = maxAllowedPacket(connection);
        if (size > most && jobs.size() == 1) {
            throw new InvalidJobException("a job of kind '" + jobs.get(0).kind() + "' needs " + size
                    + " bytes in a statement, and the server accepts " + most
                    + " (max_allowed_packet): store the data elsewhere and enqueue a reference, or raise"
                    + " max_allowed_packet on the server");
        }
        return size <= most;
    }

    /**
     * @param connection to the server
     * @param text for one statement
     * @throws SQLException if the server does not accept it
     */
    static void requireFits(Connection connection, String text) throws SQLException {
        if (text.length() <= SMALL / 4) { // each character takes at most three bytes and a backslash
            return;
        }
        long size = text.getBytes(StandardCharsets.UTF_8).length + escapes(text) + ROW;
        long most = size <= SMALL ? size : maxAllowedPacket(connection);
        if (size > most) {
            throw new SQLDataException(
                    "the statement needs " + size + " bytes, and the server accepts " + most + " (max_allowed_packet)",
                    "22001");
        }
    }

    /** {@return the number of characters that drivers escape with a backslash; both drivers send values as text by default} */
    private static long escapes(String text) {
        long escapes = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '\'', '"', '\\', '\n', '\r', '\u001a' -> escapes++;
                default -> {}
            }
        }
        return escapes;
    }

    private static long maxAllowedPacket(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@max_allowed_packet")) {
            row.next();
            return row.getLong(1);
        }
    }
}
