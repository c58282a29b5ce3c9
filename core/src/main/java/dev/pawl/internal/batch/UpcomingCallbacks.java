package dev.pawl.internal.batch;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The callbacks of batches that are not done: jobs that are stored, but not enqueued yet. Locks nothing. */
public final class UpcomingCallbacks {
    /** The bits in {@code fired} of callbacks that were enqueued, in the order of their columns. */
    private static final int[] FIRED = {1, 2, 4};

    private final Database database;
    private final Sql next;

    /**
     * A callback.
     *
     * @param batch its id
     * @param name of the batch
     * @param job what will be enqueued
     */
    public record Upcoming(long batch, String name, JobRequest job) {}

    /**
     * The callbacks of some batches.
     *
     * @param callbacks in the order of their batches
     * @param last the id of the last of these batches
     * @param isEnd whether there are no more batches
     */
    public record Page(List<Upcoming> callbacks, long last, boolean isEnd) {}

    /**
     * @param database the pool and the dialect
     */
    public UpcomingCallbacks(Database database) {
        this.database = database;
        next = database.dialect().statement("""
                SELECT b.id, b.name, b.on_done, b.on_failed, b.on_success, c.fired
                  FROM pawl_batch b JOIN pawl_batch_count c ON c.batch_id = b.id
                 WHERE b.id > ? AND c.done_at IS NULL
                   AND (b.on_done IS NOT NULL OR b.on_failed IS NOT NULL OR b.on_success IS NOT NULL)
                 ORDER BY b.id LIMIT ?
                """);
    }

    /**
     * {@return the callbacks of the next batches}
     *
     * @param batch only batches with a greater id
     * @param limit the maximum number of batches
     * @throws SQLException from the driver
     */
    public Page after(long batch, int limit) throws SQLException {
        return database.autocommit(connection -> next.on(connection, batch, limit)
                .query(row -> {
                    List<Upcoming> callbacks = new ArrayList<>();
                    long last = batch;
                    int batches = 0;
                    while (row.next()) {
                        last = row.getLong(1);
                        batches++;
                        for (int i = 0; i < FIRED.length; i++) {
                            String text = row.getString(3 + i);
                            if (text != null && (row.getInt("fired") & FIRED[i]) == 0) {
                                callbacks.add(new Upcoming(last, row.getString(2), Callback.read(text)));
                            }
                        }
                    }
                    return new Page(callbacks, last, batches < limit);
                }));
    }
}
