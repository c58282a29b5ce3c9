package dev.pawl.internal.feature;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The rows that features have linked to jobs. The verbs that take jobs away, or change them, use it and know no table of a feature. Thread-safe. */
public final class LinkedRows {
    private final Dialect dialect;
    private final List<JobLink> links;

    /**
     * @param dialect of the database
     * @param features whose links are followed, in this order
     */
    public LinkedRows(Dialect dialect, List<Feature> features) {
        this.dialect = dialect;
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

    /** {@return what follows the jobs of one call that changes them} */
    public RowChanges changes() {
        return new LinkedChanges(links.stream()
                .map(JobLink::changes)
                .filter(ChangePolicy.Follow.class::isInstance)
                .map(policy -> ((ChangePolicy.Follow) policy).open().apply(dialect))
                .toList());
    }

    /** Deletes the rows of jobs themselves. */
    @FunctionalInterface
    public interface JobDeletion {
        /** @throws SQLException from the driver */
        void run() throws SQLException;
    }

    /**
     * Does with the linked rows what their features say; the caller deletes the rows of the jobs afterwards, or has done so.
     *
     * @param removal why the jobs are taken away
     * @param jobs at least one
     * @throws SQLException from the driver
     */
    public void remove(JobRemoval removal, RemovedJobs jobs) throws SQLException {
        remove(removal, jobs, () -> {});
    }

    /**
     * Does with the linked rows what their features say, and deletes the rows of the jobs in between.
     *
     * @param removal why the jobs are taken away
     * @param jobs at least one
     * @param deletion deletes their rows
     * @throws SQLException from the driver
     */
    public void remove(JobRemoval removal, RemovedJobs jobs, JobDeletion deletion) throws SQLException {
        apply(removal, jobs, RowPolicy.Order.BEFORE_JOB);
        deletion.run();
        apply(removal, jobs, RowPolicy.Order.AFTER_JOB);
    }

    private void apply(JobRemoval removal, RemovedJobs jobs, RowPolicy.Order now) throws SQLException {
        for (JobLink link : links) {
            if (jobs.place() == JobPlace.LANES && link.jobs() == JobLink.Jobs.IN_ROWS) {
                continue;
            }
            RowPolicy policy = link.removals().apply(removal);
            if (policy instanceof RowPolicy.Delete delete && delete.order() == now) {
                delete(jobs.connection(), link, jobs.ids());
            } else if (policy instanceof RowPolicy.Own own && now == RowPolicy.Order.BEFORE_JOB) {
                own.removal().apply(dialect, jobs);
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
