package dev.pawl.internal.feature;

import dev.pawl.admin.JobFilter;
import dev.pawl.internal.jdbc.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The changes of all links, in their order. */
final class LinkedChanges implements RowChanges {
    private final List<RowChanges> all;

    LinkedChanges(List<RowChanges> all) {
        this.all = all;
    }

    @Override
    public void moving(Connection connection, List<Long> ids, String queue) throws SQLException {
        for (RowChanges one : all) {
            one.moving(connection, ids, queue);
        }
    }

    @Override
    public Set<String> afterMoves(Database database) {
        Set<String> queues = new HashSet<>();
        all.forEach(one -> queues.addAll(one.afterMoves(database)));
        return queues;
    }

    @Override
    public void prioritizing(Connection connection, List<Long> ids, int priority) throws SQLException {
        for (RowChanges one : all) {
            one.prioritizing(connection, ids, priority);
        }
    }

    @Override
    public void rescheduled(Connection connection, List<Long> ids) throws SQLException {
        for (RowChanges one : all) {
            one.rescheduled(connection, ids);
        }
    }

    @Override
    public void retried(Connection connection, List<Long> ids) throws SQLException {
        for (RowChanges one : all) {
            one.retried(connection, ids);
        }
    }

    @Override
    public void erasing(RemovedJobs jobs) throws SQLException {
        for (RowChanges one : all) {
            one.erasing(jobs);
        }
    }

    @Override
    public void afterPage(Database database, JobFilter filter) throws SQLException {
        for (RowChanges one : all) {
            one.afterPage(database, filter);
        }
    }

    @Override
    public void afterErasures(Database database, JobFilter filter) throws SQLException {
        for (RowChanges one : all) {
            one.afterErasures(database, filter);
        }
    }
}
