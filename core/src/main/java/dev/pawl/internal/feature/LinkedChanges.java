package dev.pawl.internal.feature;

import dev.pawl.admin.JobFilter;
import dev.pawl.internal.jdbc.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Calls the hooks of all features, in their order, each in the transitions for which its feature says so. */
final class LinkedChanges implements RowChanges {
    private final List<Follower> followers;

    LinkedChanges(List<Follower> followers) {
        this.followers = followers;
    }

    /** A hook and its feature. */
    record Follower(Feature feature, RowChanges changes) {}

    private List<RowChanges> on(Transition transition) {
        return followers.stream()
                .filter(follower -> follower.feature().on(transition).by() == Decision.By.HOOK)
                .map(Follower::changes)
                .toList();
    }

    @Override
    public void moving(Connection connection, List<Long> ids, String queue) throws SQLException {
        for (RowChanges one : on(Transition.MOVE)) {
            one.moving(connection, ids, queue);
        }
    }

    @Override
    public Set<String> afterMoves(Database database) {
        Set<String> queues = new HashSet<>();
        on(Transition.MOVE).forEach(one -> queues.addAll(one.afterMoves(database)));
        return queues;
    }

    @Override
    public void prioritizing(Connection connection, List<Long> ids, int priority) throws SQLException {
        for (RowChanges one : on(Transition.PRIORITIZE)) {
            one.prioritizing(connection, ids, priority);
        }
    }

    @Override
    public void rescheduled(Connection connection, List<Long> ids) throws SQLException {
        for (RowChanges one : on(Transition.RESCHEDULE)) {
            one.rescheduled(connection, ids);
        }
    }

    @Override
    public void retried(Connection connection, List<Long> ids) throws SQLException {
        for (RowChanges one : on(Transition.RETRY)) {
            one.retried(connection, ids);
        }
    }

    @Override
    public void unblocked(Connection connection, long jobId) throws SQLException {
        for (RowChanges one : on(Transition.RETRY)) {
            one.unblocked(connection, jobId);
        }
    }

    @Override
    public void signalled(Connection connection, long jobId, boolean isBlocked) throws SQLException {
        for (RowChanges one : on(Transition.SIGNAL)) {
            one.signalled(connection, jobId, isBlocked);
        }
    }

    @Override
    public void started(Connection connection, List<Long> ids, boolean anyKey) throws SQLException {
        for (RowChanges one : on(Transition.START_NODE)) {
            one.started(connection, ids, anyKey);
        }
    }

    @Override
    public void pending(Connection connection, List<Long> ids, boolean anyKey) throws SQLException {
        for (RowChanges one : on(Transition.REVIVE)) {
            one.pending(connection, ids, anyKey);
        }
    }

    @Override
    public void resumed(Connection connection, List<Long> ids) throws SQLException {
        for (RowChanges one : on(Transition.RESUME)) {
            one.resumed(connection, ids);
        }
    }

    @Override
    public Set<String> afterResumes(Database database) {
        Set<String> queues = new HashSet<>();
        on(Transition.RESUME).forEach(one -> queues.addAll(one.afterResumes(database)));
        return queues;
    }

    @Override
    public void revived(Connection connection, List<Long> ids) throws SQLException {
        for (RowChanges one : on(Transition.REVIVE)) {
            one.revived(connection, ids);
        }
    }

    @Override
    public void erasing(RemovedJobs jobs) throws SQLException {
        for (RowChanges one : on(Transition.ERASE)) {
            one.erasing(jobs);
        }
    }

    @Override
    public void afterPage(Database database, JobFilter filter) throws SQLException {
        for (RowChanges one : on(Transition.ERASE)) {
            one.afterPage(database, filter);
        }
    }

    @Override
    public void afterErasures(Database database, JobFilter filter) throws SQLException {
        for (RowChanges one : on(Transition.ERASE)) {
            one.afterErasures(database, filter);
        }
    }
}
