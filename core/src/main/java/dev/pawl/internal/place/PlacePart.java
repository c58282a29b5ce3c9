package dev.pawl.internal.place;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A part of a place, with jobs of one queue. Commands for many jobs are applied part by part. Thread-safe. */
public interface PlacePart {
    /** {@return the queue of its jobs} */
    String queue();

    /**
     * {@return the greatest id of its jobs; 0 if it has none}
     *
     * @throws SQLException from the driver
     */
    long newest(Connection connection) throws SQLException;

    /**
     * {@return jobs in a state, by descending id}
     *
     * @throws SQLException from the driver
     */
    List<Job> page(Connection connection, JobState state, Conditions conditions, int limit) throws SQLException;

    /**
     * Gives the next available jobs rows of their own.
     *
     * @param connection in a transaction that has executed no statement yet
     * @param last greatest id
     * @param limit maximum number of jobs
     * @return how many got rows
     * @throws SQLException from the driver; a violation of a unique index if a worker was faster
     */
    int giveRows(Connection connection, long last, int limit) throws SQLException;

    /**
     * Which of some jobs were found in a part.
     *
     * @param waiting the jobs that were waiting; some of them may not have got rows, because they were locked or a worker claimed them
     *     first
     * @param anyRuns whether any of the jobs run here
     */
    record Found(List<Long> waiting, boolean anyRuns) {}

    /**
     * Gives rows of their own to the waiting jobs among the given ones, wherever they are in this part. Uses separate transactions.
     *
     * @param ids ascending; some hundreds at most
     * @return which jobs were found
     * @throws SQLException from the driver
     */
    Found takeWaiting(List<Long> ids) throws SQLException;

    /**
     * Gives rows of their own to the running jobs among the given ones, and leaves their leases unchanged. Uses separate transactions.
     *
     * @param ids ascending; some hundreds at most
     * @return how many still run here without rows, because transactions of their handlers are open
     * @throws SQLException from the driver
     */
    int takeRunning(List<Long> ids) throws SQLException;

    /**
     * Deletes completed jobs.
     *
     * @param connection in a transaction
     * @param ids ascending; jobs that are not completed, or not here, are skipped
     * @return the ids of the deleted jobs
     * @throws SQLException from the driver
     */
    List<Long> delete(Connection connection, List<Long> ids) throws SQLException;

    /**
     * Deletes copies of jobs that have got rows of their own. Such copies stay here and are never read, but contain payloads.
     *
     * @param connection in a transaction
     * @param ids ascending
     * @return the ids of the jobs whose copies must stay for now
     * @throws SQLException from the driver
     */
    List<Long> deleteCopies(Connection connection, List<Long> ids) throws SQLException;
}
