package dev.pawl.internal.batch;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells workers which batches of claimed jobs are stopped. Queries the database only about batches that this process knows as stopped, so
 * that other batches cost nothing; the database decides, because a job may have been retried. Thread-safe.
 */
public final class StoppedBatches {
    private static final int MAX = 100;

    private final Dialect dialect;
    private final Set<Long> suspects = ConcurrentHashMap.newKeySet();

    StoppedBatches(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Remembers a batch that is stopped, will be stopped at the commit, or was stopped a moment ago. */
    public void suspect(long batch) {
        suspects.add(batch);
        if (suspects.size() > MAX) { // forgets an arbitrary batch, whose jobs may all have ended in another process
            suspects.remove(suspects.iterator().next());
        }
    }

    /** Forgets a batch, because all of its jobs have finished or one was retried. */
    void forget(long batch) {
        suspects.remove(batch);
    }

    /** {@return the batches among these that may be stopped} Only {@link #among} finds out whether they are stopped. */
    public List<Long> suspectsAmong(Collection<Long> batches) {
        return suspects.isEmpty()
                ? List.of()
                : batches.stream().filter(suspects::contains).toList();
    }

    /** {@return the batches among these that are stopped} Forgets the others until they are stopped again. */
    public Set<Long> among(Connection connection, List<Long> some) throws SQLException {
        Sql sql = dialect.planned("SELECT batch_id FROM pawl_batch_count WHERE stopped_at IS NOT NULL AND "
                + dialect.anyOf("batch_id", some.size()));
        Set<Long> stopped = new HashSet<>();
        sql.on(connection, some).each(rows -> stopped.add(rows.getLong(1)));
        some.stream().filter(batch -> !stopped.contains(batch)).forEach(suspects::remove);
        return stopped;
    }
}
