package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which lanes there are. Read again when somebody asks for one that is not known, at most a few times a second, because
 * a lane is hardly ever opened and never removed. Thread-safe.
 */
public final class Lanes {
    /** More priorities than this in one queue, and the further ones have no lane: each costs a claim a look. */
    private static final int MOST_OF_A_QUEUE = 8;

    private static final Duration UNUSED_AGE = Duration.ofSeconds(5);

    private final Dialect dialect;
    private volatile Map<String, List<Lane>> byQueue = Map.of();
    private volatile long readNanos;
    private volatile boolean isRead;

    /**
     * @param dialect the product
     */
    public Lanes(Dialect dialect) {
        this.dialect = dialect;
    }

    /** {@return the lanes of a queue, smallest priority first} */
    public List<Lane> of(String queue) {
        return byQueue.getOrDefault(queue, List.of());
    }

    /** {@return the lane for new jobs, if it is known and open} */
    public @Nullable Lane open(String queue, int priority) {
        for (Lane lane : of(queue)) {
            if (lane.priority() == priority) {
                return lane.isOpen() ? lane : null;
            }
        }
        return null;
    }

    /** {@return whether what is known is older than this} */
    public boolean isOlderThan(Duration age) {
        return !isRead || System.nanoTime() - readNanos > age.toNanos();
    }

    /**
     * Reads them again.
     *
     * @param connection a caller's, whatever its transaction
     * @throws SQLException from the driver
     */
    public void read(Connection connection) throws SQLException {
        long now = System.nanoTime();
        List<Lane> all = new ArrayList<>();
        try (PreparedStatement statement =
                        connection.prepareStatement(dialect.sql("SELECT id, queue, priority, is_open FROM pawl_lane"));
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                all.add(new Lane(rows.getInt(1), rows.getString(2), rows.getInt(3), rows.getBoolean(4)));
            }
        }
        all.sort(Comparator.comparingInt(Lane::priority));
        byQueue = all.stream().collect(Collectors.groupingBy(Lane::queue));
        readNanos = now;
        isRead = true;
    }

    /** {@return whether no queue has a lane; looks again every few seconds} */
    boolean isUnused(Database database) throws SQLException {
        if (isOlderThan(UNUSED_AGE)) {
            boolean unused = database.autocommit(connection -> {
                read(connection);
                return true;
            });
        }
        return byQueue.isEmpty();
    }

    /** {@return all of them} */
    public List<Lane> all() {
        return byQueue.values().stream().flatMap(List::stream).toList();
    }

    /** {@return whether a queue may have one more} */
    boolean hasRoom(String queue) {
        return of(queue).size() < MOST_OF_A_QUEUE;
    }

    /** Opens a lane, unless there is one. On a connection of its own, committed on return: others would wait for it. */
    void open(Connection connection, String queue, int priority) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                dialect.sql(dialect.insertIfMissing("pawl_lane (queue, priority) VALUES (?, ?)")))) {
            statement.setString(1, queue);
            statement.setInt(2, priority);
            statement.executeUpdate();
        }
    }
}
