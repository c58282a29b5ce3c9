package dev.pawl.internal.settle;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.KeyPlace;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Takes jobs that have completed out of what is under way of their keys, so that the next turns need not find them there. Some stay: a turn
 * sees by the one that was let go to try a key that the key works again; and keys that share places keep theirs until their own turn. Whatever
 * else ends a job leaves that to the turns, too.
 */
final class KeyedEnds {
    private final Dialect dialect;
    private final String delete;

    KeyedEnds(Dialect dialect) {
        this.dialect = dialect;
        delete = dialect.deleteAlongIds("pawl_keyed") + " WHERE let_go + 0 = 1 AND due <> " + KeyPlace.STAYS + " AND ";
    }

    /**
     * No statement if none of them has a key.
     *
     * @param accepted of the runs, that are recorded in this transaction
     */
    void of(Connection connection, List<Settlement> runs, Set<Lease> accepted) throws SQLException {
        List<Long> ids = runs.stream()
                .filter(run -> run.keyed() && accepted.contains(run.lease()))
                .map(run -> run.lease().jobId())
                .sorted()
                .toList();
        if (ids.isEmpty()) {
            return;
        }
        String sql = dialect.sql(delete + dialect.anyOf("job_id", ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int unused = dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }
}
