package dev.pawl.internal.place;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A part of a place that has jobs of one queue: what is done to many jobs goes from part to part. Thread-safe. */
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
     * @param connection in a transaction without statements so far
     * @param last greatest id
     * @param limit maximum number of jobs
     * @return how many got rows
     * @throws SQLException from the driver; a violation of a unique index if a worker was faster
     */
    int giveRows(Connection connection, long last, int limit) throws SQLException;

    /**
     * What a part had of some jobs.
     *
     * @param waiting those that waited; a locked one may stay, and a claim may have been faster
     * @param anyRuns whether others run there
     */
    record Found(List<Long> waiting, boolean anyRuns) {}

    /**
     * Gives rows of their own to those of some jobs that wait here, wherever in it they are, in transactions of its own.
     *
     * @param ids ascending; some hundreds at most
     * @return what was found
     * @throws SQLException from the driver
     */
    Found takeWaiting(List<Long> ids) throws SQLException;

    /**
     * Gives rows of their own to those of some jobs that run here, with their lease unchanged, in transactions of its own.
     *
     * @param ids ascending; some hundreds at most
     * @return how many run here and have no rows: transactions of their handlers are open
     * @throws SQLException from the driver
     */
    int takeRunning(List<Long> ids) throws SQLException;

    /**
     * Deletes completed jobs.
     *
     * @param connection in a transaction
     * @param ids ascending; those that are not completed, or not here, are left alone
     * @return the ids of the deleted jobs
     * @throws SQLException from the driver
     */
    List<Long> delete(Connection connection, List<Long> ids) throws SQLException;

    /**
     * Deletes the copies that are still here of jobs with rows of their own. They are never read, but contain payloads.
     *
     * @param connection in a transaction
     * @param ids ascending
     * @return the ids of the jobs whose copies have to stay for now
     * @throws SQLException from the driver
     */
    List<Long> deleteCopies(Connection connection, List<Long> ids) throws SQLException;
}
