package dev.pawl.shard;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.Names;
import dev.pawl.api.SchemaException;
import java.sql.Connection;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One database, or one schema, of several, with a name. Its queue is opened by the first call that needs it, so a
 * program starts while some of its databases cannot be reached. Thread-safe.
 */
public final class Shard implements AutoCloseable {
    private final String name;
    private final JobQueueBuilder builder;
    private volatile @Nullable JobQueue queue;
    private boolean closed;

    private Shard(String name, JobQueueBuilder builder) {
        this.name = Names.checkKey("shard", name);
        this.builder = Objects.requireNonNull(builder, "builder");
    }

    /**
     * Returns a shard. Does not use the database yet.
     *
     * @param name shown to people and in exceptions; 1 to 200 characters
     * @param builder opens its queue, and is not to be used otherwise
     * @return the shard
     * @throws IllegalArgumentException if the name is malformed
     */
    public static Shard of(String name, JobQueueBuilder builder) {
        return new Shard(name, builder);
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /**
     * {@return its queue, opened if it is not yet} What the caller does with it stays on this shard.
     *
     * @throws DatabaseException if it is not open and the database cannot be reached or refuses a statement; a later
     *     call tries again
     * @throws SchemaException if its tables do not fit, or its jobs have the ids of another shard
     * @throws IllegalStateException if the shard is closed
     */
    public JobQueue queue() {
        JobQueue open = queue;
        return open == null ? named(this::open) : open;
    }

    private synchronized JobQueue open() {
        if (closed) {
            throw new IllegalStateException("shard '" + name + "' is closed");
        }
        JobQueue open = queue;
        if (open == null) {
            open = builder.open();
            queue = open;
        }
        return open;
    }

    /** {@return whether its queue is open; it stays open while the database cannot be reached} */
    public boolean isOpen() {
        return queue != null;
    }

    /**
     * Returns the ways to enqueue in a transaction of this shard's database: its jobs stay on this shard,
     * regardless of their keys.
     *
     * @param connection of this shard's database, in a transaction, which the caller commits
     * @return the enqueuer; valid until the transaction ends
     * @throws DatabaseException if the queue is not open and the database cannot be reached
     */
    public Enqueuer within(Connection connection) {
        return queue().within(connection);
    }

    /** The database is one of several, whose jobs must not have the same ids. */
    void number(int number) {
        builder.shard(number);
    }

    /** {@return the result of a call, whose exceptions name this shard} */
    <T> T call(Function<JobQueue, T> call) {
        JobQueue open = queue();
        return named(() -> call.apply(open));
    }

    private <T> T named(Supplier<T> call) {
        try {
            return call.get();
        } catch (DatabaseException e) {
            String message = String.valueOf(e.getMessage());
            String cause = ": " + e.sqlException().getMessage();
            String what = message.endsWith(cause) ? message.substring(0, message.length() - cause.length()) : message;
            throw new DatabaseException("shard '" + name + "': " + what, e.sqlException(), e.isTransient());
        } catch (SchemaException e) {
            throw new SchemaException("shard '" + name + "': " + e.getMessage(), e);
        }
    }

    /** Closes its queue, see {@link JobQueue#close}. */
    @Override
    public synchronized void close() {
        closed = true;
        JobQueue open = queue;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public String toString() {
        return "Shard[" + name + "]";
    }
}
