package dev.pawl.testkit;

import dev.pawl.DatabaseException;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.SchemaException;
import dev.pawl.internal.jdbc.Failures;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * An empty queue for one test, with its tables, which are gone when it is closed. Thread-safe. Close the workers first.
 */
public final class TestQueue implements AutoCloseable {
    private final DataSource dataSource;
    private final JobQueue queue;
    private final QueueTester tester;
    private final Failures.Call<Boolean> end;

    private TestQueue(DataSource dataSource, JobQueue queue, Failures.Call<Boolean> end) {
        this.dataSource = dataSource;
        this.queue = queue;
        this.tester = QueueTester.of(queue);
        this.end = end;
    }

    /**
     * Opens a queue on SQLite in memory. It needs {@code org.xerial:sqlite-jdbc}, which the test kit does not bring.
     *
     * @return the queue
     * @throws IllegalStateException if the driver is missing; the message says what to add
     */
    public static TestQueue inMemory() {
        return inMemory(builder -> builder);
    }

    /**
     * Opens a queue on SQLite in memory, with options.
     *
     * @param options sets the codec and the like
     * @return the queue
     * @throws IllegalStateException if the driver is missing; the message says what to add
     */
    public static TestQueue inMemory(UnaryOperator<JobQueueBuilder> options) {
        return Failures.wrapped("cannot open a queue in memory", () -> {
            InMemorySqlite memory = InMemorySqlite.open();
            try {
                JobQueue queue =
                        options.apply(JobQueue.builder(memory.dataSource())).open();
                return new TestQueue(memory.dataSource(), queue, () -> {
                    memory.close();
                    return true;
                });
            } catch (RuntimeException | Error e) {
                memory.close();
                throw e;
            }
        });
    }

    /**
     * Opens a queue on a database of yours, among tables with a prefix of its own, which are dropped when it is closed. What is
     * in the database already is left alone. Creating and dropping them takes servers up to a second.
     *
     * @param dataSource which stays open
     * @return the queue
     * @throws SchemaException if the database is not supported
     * @throws DatabaseException if the database cannot be reached or refuses
     */
    public static TestQueue on(DataSource dataSource) {
        return on(dataSource, builder -> builder);
    }

    /**
     * The same with options.
     *
     * @param dataSource which stays open
     * @param options sets the codec and the like; a table prefix that it sets is replaced
     * @return the queue
     * @throws SchemaException if the database is not supported
     * @throws DatabaseException if the database cannot be reached or refuses
     */
    public static TestQueue on(DataSource dataSource, UnaryOperator<JobQueueBuilder> options) {
        String prefix = FreshTables.prefix();
        JobQueue queue;
        try {
            queue = options.apply(JobQueue.builder(dataSource))
                    .tablePrefix(prefix)
                    .open();
        } catch (RuntimeException | Error e) {
            try {
                FreshTables.drop(dataSource, prefix, null); // some may have been created
            } catch (SQLException | RuntimeException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
        return new TestQueue(dataSource, queue, () -> {
            FreshTables.drop(dataSource, prefix, queue);
            return true;
        });
    }

    /** {@return the queue} */
    public JobQueue queue() {
        return queue;
    }

    /** {@return the database that it is in, for the application's own tables and transactions} */
    public DataSource dataSource() {
        return dataSource;
    }

    /** {@return what looks at the queue and runs it} */
    public QueueTester tester() {
        return tester;
    }

    /**
     * Closes the queue and removes its tables. Whoever has a transaction open on one of them is waited for, ten seconds for each.
     *
     * @throws DatabaseException if the database refuses, or somebody still uses a table
     */
    @Override
    public void close() {
        queue.close();
        boolean unused = Failures.wrapped("cannot remove the tables of a test", end);
    }
}
