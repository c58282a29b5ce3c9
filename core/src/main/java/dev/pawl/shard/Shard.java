package dev.pawl.shard;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.Names;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several databases or schemas, with a name. Its queue is opened by the first call that needs it, so a program
 * can start while some of its databases cannot be reached. Thread-safe.
 */
public final class Shard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

    private final String name;
    private final JobQueueBuilder builder;
    private volatile @Nullable JobQueue queue;
    /** The current try to open the queue; null if there is none. */
    private @Nullable CompletableFuture<JobQueue> opening;

    private @Nullable Integer number;
    private boolean closed;

    private Shard(String name, JobQueueBuilder builder) {
        this.name = Names.checkKey("shard", name);
        this.builder = Objects.requireNonNull(builder, "builder");
    }

    /**
     * Returns a shard. Does not use the database yet.
     *
     * @param name shown to users and in exceptions; 1 to 200 characters
     * @param builder opens the queue of the shard, and must not be used for anything else
     * @return the shard
     * @throws IllegalArgumentException if the name is malformed
     */
    public static Shard of(String name, JobQueueBuilder builder) {
        return new Shard(name, builder);
    }

    /** {@return the name} */
    public String name() {
        return name;
    }

    /**
     * {@return the queue of this shard} Opens the queue if necessary. Everything that the caller does with the queue stays on this shard.
     * If several threads call this at the same time, one thread tries to open the queue and the others wait for it. If that thread is
     * interrupted, another one tries.
     *
     * @throws DatabaseException if the queue is not open, and the database cannot be reached or refuses a statement, or the thread is
     *     interrupted; a later call tries again
     * @throws SchemaException if the tables do not fit, or the jobs have the ids of another shard
     * @throws IllegalStateException if the shard was closed before its queue was open
     */
    public JobQueue queue() {
        JobQueue open = queue;
        return open == null ? named(this::open) : open;
    }

    private JobQueue open() {
        while (true) {
            CompletableFuture<JobQueue> own = new CompletableFuture<>();
            CompletableFuture<JobQueue> first = begin(own);
            if (first == own) {
                return open(own);
            }
            try {
                return await(first);
            } catch (CancellationException e) {
                LOG.debug("shard {}: the thread that opened it was interrupted, so another one tries", name, e);
            }
        }
    }

    private JobQueue open(CompletableFuture<JobQueue> own) {
        try {
            JobQueue opened = builder.open();
            if (!keep(opened)) {
                opened.close();
                throw closed();
            }
            own.complete(opened);
            return opened;
        } catch (RuntimeException | Error e) {
            end();
            if (Interrupts.caused(e)) {
                own.cancel(false); // the waiting threads do not fail, and one of them tries
            } else {
                own.completeExceptionally(e);
            }
            throw e;
        }
    }

    /**
     * {@return the current try; {@code own} if there is none, so that the caller must open the queue} No lock is held while the queue is
     * opened.
     */
    private synchronized CompletableFuture<JobQueue> begin(CompletableFuture<JobQueue> own) {
        if (closed) {
            throw closed();
        }
        JobQueue open = queue;
        if (open != null) {
            return CompletableFuture.completedFuture(open);
        }
        CompletableFuture<JobQueue> first = opening;
        if (first == null) {
            opening = own;
            return own;
        }
        return first;
    }

    private synchronized boolean keep(JobQueue opened) {
        if (closed) {
            return false;
        }
        queue = opened;
        opening = null;
        return true;
    }

    private synchronized void end() {
        opening = null;
    }

    private IllegalStateException closed() {
        return new IllegalStateException("shard '" + name + "' is closed");
    }

    private static JobQueue await(CompletableFuture<JobQueue> first) {
        try {
            return first.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            String what = "interrupted while another thread opened the job queue";
            throw new DatabaseException(what, new SQLException(what, e), true);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("another thread could not open the job queue", e.getCause());
        }
    }

    /** {@return whether the queue is open; it stays open while the database cannot be reached} */
    public boolean isOpen() {
        return queue != null;
    }

    /**
     * Returns an enqueuer for a transaction of this shard's database. Its jobs stay on this shard, regardless of their
     * keys.
     *
     * @param connection of this shard's database, in a transaction, which the caller commits
     * @return the enqueuer; valid until the transaction ends
     * @throws DatabaseException if the queue is not open and the database cannot be reached
     */
    public Enqueuer within(Connection connection) {
        return queue().within(connection);
    }

    /**
     * Checks that this shard can get a number, which determines the ids of its jobs.
     *
     * @throws IllegalArgumentException if the shard has another number, or was opened without a number
     */
    synchronized void requireNumber(int wanted) {
        if (number == null ? queue != null || opening != null : number != wanted) {
            throw new IllegalArgumentException("shard '" + name + "' cannot become number " + wanted + ": "
                    + (number == null
                            ? "its queue was opened before, without a number; make the ShardedQueue first"
                            : "it is number " + number + " of another ShardedQueue"));
        }
    }

    /** Sets the number of this shard, so that no other shard has jobs with the same ids. */
    synchronized void number(int wanted) {
        requireNumber(wanted);
        number = wanted;
        builder.shard(wanted);
    }

    /** {@return the codec of payloads} Does not use the database. */
    PayloadCodec codec() {
        return builder.codec();
    }

    /** {@return the result of a call} Exceptions of the call name this shard. */
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

    /** Closes the queue, see {@link JobQueue#close}. */
    @Override
    public void close() {
        JobQueue open;
        synchronized (this) {
            closed = true;
            open = queue;
        }
        if (open != null) {
            open.close();
        }
    }

    @Override
    public String toString() {
        return "Shard[" + name + "]";
    }
}
