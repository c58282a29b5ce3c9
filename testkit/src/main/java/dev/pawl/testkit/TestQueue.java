package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Failures;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** An empty queue for one test, with its own tables, which are dropped when it is closed. Thread-safe. Close the workers first. */
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
     * Opens a queue on SQLite in memory. Requires {@code org.xerial:sqlite-jdbc}, which is not a dependency of the test
     * kit.
     *
     * @return the queue
     * @throws IllegalStateException if the driver is missing; the message names the dependency to add
     */
    public static TestQueue inMemory() {
        return inMemory(builder -> builder);
    }

    /**
     * Opens a queue on SQLite in memory, with options.
     *
     * @param options sets the codec and the like
     * @return the queue
     * @throws IllegalStateException if the driver is missing; the message names the dependency to add
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
     * Opens a queue on your database, with tables of its own prefix, which are dropped when it is closed. Existing tables are not touched.
     * A server takes up to a second to create and drop the tables of the queue.
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
     * Like {@link #on(DataSource)}, with options.
     *
     * @param dataSource which stays open
     * @param options sets the codec and the like; a table prefix that it sets is replaced
     * @return the queue
     * @throws SchemaException if the database is not supported
     * @throws DatabaseException if the database cannot be reached or refuses
     */
    public static TestQueue on(DataSource dataSource, UnaryOperator<JobQueueBuilder> options) {
        String prefix = TemporaryTables.prefix();
        JobQueue queue;
        try {
            queue = options.apply(JobQueue.builder(dataSource))
                    .tablePrefix(prefix)
                    .open();
        } catch (RuntimeException | Error e) {
            try {
                TemporaryTables.drop(dataSource, prefix, null); // some may have been created
            } catch (SQLException | RuntimeException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
        return new TestQueue(dataSource, queue, () -> {
            TemporaryTables.drop(dataSource, prefix, queue);
            return true;
        });
    }

    /** {@return the queue} */
    public JobQueue queue() {
        return queue;
    }

    /** {@return the queue's database, for the application's own tables and transactions} */
    public DataSource dataSource() {
        return dataSource;
    }

    /** {@return the tester of the queue} */
    public QueueTester tester() {
        return tester;
    }

    /**
     * Closes the queue and drops its tables. Waits up to ten seconds per table for open transactions on it.
     *
     * @throws DatabaseException if the database refuses, or a table is still in use
     */
    @Override
    public void close() {
        queue.close();
        boolean unused = Failures.wrapped("cannot remove the tables of a test", end);
    }
}
