package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.Delay;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Samples how far the primary of a PostgreSQL cluster has written its log. After failovers, this and the history of the timelines tell
 * which commits replication cannot have lost: those before the position at which the next primary continued.
 */
final class LogPositions implements AutoCloseable {
    private static final String POSITION =
            "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)";

    private final String url;
    private final NavigableMap<Long, Position> samples = new ConcurrentSkipListMap<>();
    private final Thread thread = new Thread(this::sample, "log positions");
    private volatile boolean stopped;
    private Map<Integer, Long> ends = Map.of();

    private record Position(int timeline, long bytes) {}

    /** @param url by which the driver finds the primary */
    LogPositions(String url) {
        this.url = url;
        thread.start();
    }

    private void sample() {
        try {
            while (!stopped) {
                try (Connection connection = DriverManager.getConnection(url);
                        PreparedStatement position = connection.prepareStatement(POSITION)) {
                    while (!stopped) {
                        long asked = System.nanoTime();
                        try (ResultSet row = position.executeQuery()) {
                            row.next();
                            samples.put(asked, new Position(Integer.parseInt(row.getString(2), 16), row.getLong(1)));
                        }
                        Delay.poll(5); // the log gives no signal
                    }
                } catch (SQLException away) {
                    Delay.poll(50); // a cluster gives no signal
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops, and reads from the primary where each former timeline ended. */
    void finish() throws SQLException {
        close();
        Map<Integer, Long> found = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT split_part(line, E'\\t', 1), split_part(line, E'\\t', 2)::pg_lsn - '0/0'::pg_lsn"
                                + " FROM (SELECT name FROM pg_ls_waldir() WHERE name LIKE '%.history' ORDER BY name DESC LIMIT 1) newest,"
                                + " regexp_split_to_table(pg_read_file('pg_wal/' || name), E'\\n') line WHERE line LIKE '%/%'")) {
            while (rows.next()) {
                found.put(Integer.parseInt(rows.getString(1)), rows.getLong(2));
            }
        }
        ends = found;
    }

    /** {@return how often another server continued the log} */
    int failovers() {
        return ends.size();
    }

    /**
     * {@return whether the server that took over has what was committed at this time} False if the samples do not tell, because none was
     * taken between the commit and the end of its timeline.
     *
     * @param nanos by {@link System#nanoTime}, after the commit was acknowledged
     */
    boolean hasSurvived(long nanos) {
        assertThat(ends).as("timelines").isNotEmpty();
        Map.Entry<Long, Position> before = samples.floorEntry(nanos);
        Map.Entry<Long, Position> after = samples.higherEntry(nanos);
        if (before == null || after == null || before.getValue().timeline != after.getValue().timeline) {
            return false;
        }
        Position position = after.getValue();
        return position.bytes <= ends.getOrDefault(position.timeline, Long.MAX_VALUE);
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the log was sampled", e);
        }
    }

    /** {@return the number of samples, and where the timelines ended, in bytes} */
    @Override
    public String toString() {
        return List.of(samples.size() + " samples", ends).toString();
    }
}
