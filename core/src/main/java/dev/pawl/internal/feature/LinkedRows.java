package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The rows that features have linked to jobs. The operations that take jobs away, or change them, use this class, so they need not know the
 * tables of features. Thread-safe.
 */
public final class LinkedRows {
    private final Dialect dialect;
    private final List<Feature> features;
    private final List<JobLink> links;

    /**
     * @param dialect of the database
     * @param features whose links are followed, in this order
     */
    public LinkedRows(Dialect dialect, List<Feature> features) {
        this.dialect = dialect;
        this.features = List.copyOf(features);
        this.links =
                features.stream().flatMap(feature -> feature.links().stream()).toList();
    }

    /**
     * @param dialect of the database
     * @return the rows of all features of this library
     */
    public static LinkedRows installed(Dialect dialect) {
        return new LinkedRows(dialect, Features.installed());
    }

    /** {@return the links of all features} */
    public List<JobLink> links() {
        return links;
    }

    /** {@return the deletions of features' rows that belong to no job} */
    public List<Pruning> prunings(Database database) {
        return features.stream()
                .flatMap(feature -> feature.pruning(database).stream())
                .toList();
    }

    /** {@return the hooks for one call that changes jobs} */
    public RowChanges changes() {
        return new LinkedChanges(features.stream()
                .flatMap(feature ->
                        feature.changes(dialect).map(changes -> new LinkedChanges.Follower(feature, changes)).stream())
                .toList());
    }

    /** Deletes the rows of jobs themselves. */
    @FunctionalInterface
    public interface JobDeletion {
        /** @throws SQLException from the driver */
        void run() throws SQLException;
    }

    /**
     * Deletes or keeps the linked rows, as their features have decided. The caller deletes the rows of the jobs, before or afterwards.
     *
     * @param transition that takes the jobs away
     * @param jobs at least one
     * @throws SQLException from the driver
     */
    public void remove(Transition transition, RemovedJobs jobs) throws SQLException {
        remove(transition, jobs, () -> {});
    }

    /**
     * Deletes the rows of the jobs, and before or after them the linked rows, as their features have decided.
     *
     * @param transition that takes the jobs away
     * @param jobs at least one
     * @param deletion deletes their rows
     * @throws SQLException from the driver
     */
    public void remove(Transition transition, RemovedJobs jobs, JobDeletion deletion) throws SQLException {
        apply(transition, jobs, RowPolicy.Order.BEFORE_JOB);
        deletion.run();
        apply(transition, jobs, RowPolicy.Order.AFTER_JOB);
    }

    private void apply(Transition transition, RemovedJobs jobs, RowPolicy.Order now) throws SQLException {
        for (Feature feature : features) {
            RowPolicy policy = feature.on(transition).rows();
            if (policy instanceof RowPolicy.Delete delete && delete.order() == now) {
                delete(feature, jobs);
            } else if (policy instanceof RowPolicy.Own own
                    && now == RowPolicy.Order.BEFORE_JOB
                    && hasRows(feature, jobs)) {
                own.removal().apply(dialect, jobs);
            }
        }
    }

    private static boolean hasRows(Feature feature, RemovedJobs jobs) {
        return feature.links().stream().anyMatch(link -> hasRows(link, jobs));
    }

    private static boolean hasRows(JobLink link, RemovedJobs jobs) {
        return jobs.table() != null || link.jobs() == JobLink.Jobs.ALL;
    }

    private void delete(Feature feature, RemovedJobs jobs) throws SQLException {
        for (JobLink link : feature.links()) {
            if (hasRows(link, jobs)) {
                delete(jobs.connection(), link, jobs.ids());
            }
        }
    }

    private void delete(Connection connection, JobLink link, List<Long> ids) throws SQLException {
        String sql =
                dialect.sql("DELETE FROM " + link.table() + " WHERE " + dialect.anyOf(link.jobColumn(), ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int unused = dialect.bindIds(statement, 1, ids);
            statement.executeUpdate();
        }
    }
}
