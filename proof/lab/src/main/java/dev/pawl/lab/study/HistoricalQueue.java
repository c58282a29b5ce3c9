package dev.pawl.lab.study;

import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The queue of the study: how its workers reserve a job and finish it. Thread-safe; each worker has a connection. */
public final class HistoricalQueue {
    /** The queue with jobs, between two that are always empty. */
    private static final List<String> ALL_QUEUES = List.of("high", "default", "low");

    private static final long DELAY_SECONDS = 10_000_000;

    private final Statements sql;
    private final Design design;
    private final List<String> queues;
    private final boolean lockFirst;
    private final int expirySeconds;
    private final LongAdder reserved = new LongAdder();
    private final LongAdder preempted = new LongAdder();
    private final Map<Fault, LongAdder> faults = new EnumMap<>(Fault.class);

    /**
     * @param product postgresql, mysql (MariaDB too) or sqlite
     * @param design to build
     * @param expirySeconds after which a reservation expires
     */
    public HistoricalQueue(String product, Design design, int expirySeconds) {
        this.sql = new Statements(product, design);
        this.design = design;
        this.queues = design.reading().otherQueues() ? ALL_QUEUES : List.of("default");
        this.lockFirst = product.equals("sqlite");
        this.expirySeconds = expirySeconds;
        for (Fault fault : Fault.values()) {
            faults.put(fault, new LongAdder());
        }
    }

    /**
     * A reserved job.
     *
     * @param id the job
     * @param version that was read; 0 in a pessimistic queue
     * @param attempts including this one
     * @param marked it is finished and only waits to be deleted
     */
    public record Reserved(long id, int version, int attempts, boolean marked) {}

    /** Recreates the tables. */
    public void create(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        for (String create : sql.create()) {
            execute(connection, create);
        }
    }

    private static void execute(Connection connection, String statementText) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statementText);
        }
    }

    /** Writes jobs in one transaction; they are not available before {@link #release}. */
    public void insertDelayed(Connection connection, int jobs) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement(sql.insert())) {
            for (int i = 0; i < jobs; i++) {
                insert(statement, "{\"job\":\"WorkJob\",\"n\":" + i + "}", now() + DELAY_SECONDS);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    /** Makes all jobs available, and computes the table's statistics if the design requires it. */
    public void release(Connection connection) throws SQLException {
        execute(connection, sql.release());
        if (design.reading().analyzed()) {
            execute(connection, sql.analyze());
        }
    }

    private static void insert(PreparedStatement statement, String payload, long available) throws SQLException {
        statement.setString(1, payload);
        statement.setLong(2, available);
        statement.setLong(3, now());
    }

    private static long now() {
        return System.currentTimeMillis() / 1000;
    }

    /** Reserves the next job to run; null if there is none. Deletes marked jobs on the way. */
    public @Nullable Reserved pop(Connection connection) throws SQLException {
        for (String queue : queues) {
            @Nullable Reserved next = pop(connection, queue);
            if (next != null) {
                return next;
            }
        }
        return null;
    }

    private @Nullable Reserved pop(Connection connection, String queue) throws SQLException {
        while (true) {
            Reserved next = design.optimistic() ? popOptimistic(connection, queue) : popPessimistic(connection, queue);
            if (next == null) {
                return null;
            }
            if (!next.marked()) {
                reserved.increment();
                return next;
            }
            delete(connection, next.id());
        }
    }

    private @Nullable Reserved popPessimistic(Connection connection, String queue) throws SQLException {
        Optional<Reserved> reserved = transaction(connection, () -> {
            List<Reserved> window = select(connection, queue);
            if (window.isEmpty()) {
                return Optional.empty();
            }
            Reserved first = window.get(0);
            if (!first.marked()) {
                try (PreparedStatement statement = connection.prepareStatement(sql.reserve())) {
                    statement.setLong(1, now());
                    statement.setLong(2, first.id());
                    statement.executeUpdate();
                }
            }
            return Optional.of(first);
        });
        return reserved.orElse(null);
    }

    private @Nullable Reserved popOptimistic(Connection connection, String queue) throws SQLException {
        while (true) {
            List<Reserved> window = select(connection, queue);
            if (window.isEmpty()) {
                return null;
            }
            Reserved picked = window.get(pick(window.size()));
            try (PreparedStatement statement = connection.prepareStatement(sql.reserve())) {
                statement.setLong(1, now());
                statement.setLong(2, picked.id());
                statement.setInt(3, picked.version());
                if (statement.executeUpdate() == 1) {
                    return picked;
                }
                preempted.increment();
            } catch (SQLException e) {
                count(e);
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
                preempted.increment();
            }
        }
    }

    private int pick(int size) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return switch (design.pick()) {
            case FIRST -> 0;
            case UNIFORM -> random.nextInt(size);
            case EXPONENTIAL -> {
                for (int place = 0; place < size; place++) {
                    if (random.nextInt(3) == 0) {
                        yield place;
                    }
                }
                yield 0;
            }
        };
    }

    private List<Reserved> select(Connection connection, String queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.select())) {
            statement.setString(1, queue);
            statement.setLong(2, now());
            statement.setLong(3, now() - expirySeconds);
            List<Reserved> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new Reserved(
                            rows.getLong("id"),
                            design.optimistic() ? rows.getInt("version") : 0,
                            rows.getInt("attempts") + 1,
                            !design.optimistic() && rows.getInt("delete_mark") != 0));
                }
            }
            return found;
        }
    }

    /** The body of a job: it may enqueue another one. */
    public void run(Connection connection) throws SQLException {
        if (design.cloneProbability() > 0 && ThreadLocalRandom.current().nextDouble() < design.cloneProbability()) {
            try (PreparedStatement statement = connection.prepareStatement(sql.insert())) {
                insert(statement, "{\"job\":\"WorkJob\",\"clone\":true}", now());
                statement.executeUpdate();
            }
        }
    }

    /** Finishes a job. Returns false if the job's row could not be deleted. The job then runs again when its reservation expires. */
    public boolean done(Connection connection, Reserved job) throws SQLException {
        if (design.deleteMark()) {
            update(connection, sql.mark(), job.id());
        }
        return delete(connection, job.id()) || design.deleteMark();
    }

    private boolean delete(Connection connection, long id) throws SQLException {
        for (int tries = 0; tries < Math.max(1, design.tries()); tries++) {
            try {
                if (design.tries() == 0) {
                    update(connection, sql.delete(), id);
                } else {
                    transaction(connection, () -> {
                        if (design.fetch()) {
                            lock(connection, id);
                        }
                        update(connection, sql.delete(), id);
                        return id;
                    });
                }
                return true;
            } catch (SQLException e) {
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
                if (design.tries() == 0) {
                    count(e);
                }
            }
        }
        return false;
    }

    private void lock(Connection connection, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.fetch())) {
            statement.setLong(1, id);
            statement.executeQuery().close();
        }
    }

    private static void update(Connection connection, String statementText, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statementText)) {
            statement.setLong(1, id);
            statement.executeUpdate();
        }
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T transaction(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            if (lockFirst) {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("DELETE FROM jobs WHERE false"); // equivalent to BEGIN IMMEDIATE
                }
            }
            T answer = work.run();
            connection.commit();
            return answer;
        } catch (SQLException e) {
            count(e);
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private void count(SQLException e) {
        LongAdder counter = faults.get(Fault.of(e));
        if (counter != null) {
            counter.increment();
        }
    }

    /** {@return how often a server reported this error} */
    public long faults(Fault fault) {
        LongAdder counter = faults.get(fault);
        return counter == null ? 0 : counter.sum();
    }

    /** {@return how many jobs were reserved to be run} */
    public long reserved() {
        return reserved.sum();
    }

    /** {@return how many reservations were lost to faster workers} */
    public long preempted() {
        return preempted.sum();
    }
}
