package dev.pawl.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Counts, pauses and configures queues. Get it from {@link Admin#queues}. Thread-safe. Every method throws {@link DatabaseException} if the
 * database fails. Each is one short transaction or a few reads, except {@link #unattended}, {@link #pause}, {@link #pauseAll} and {@link
 * #setStrategy}, which are several.
 */
public interface QueueAdmin {
    /**
     * Lists the queues that have live jobs, are paused or have a strategy.
     *
     * @param limit where each count stops, 1 or more. Each of the following is a separate count: a queue's available jobs in rows, its
     *     available jobs in each lane, its scheduled and retrying jobs together, its blocked, its pending and its paused jobs, and the
     *     running jobs of all queues together. {@link QueueStats#lowerBounds} names the counts that stopped there. {@link Admin#UNLIMITED}
     *     reads all live jobs, except that it counts at most a million available jobs in each lane
     * @return the queues by name
     * @throws IllegalArgumentException if the limit is less than 1
     */
    List<QueueStats> list(int limit);

    /**
     * Counts finished jobs that are kept.
     *
     * @param limit how many jobs with rows of their own are read at most, beginning with the greatest ids; 1 or more. {@link
     *     Admin#UNLIMITED} reads the whole history, which takes seconds if it is large
     * @return the number of finished jobs in each queue, by name of the queue. It includes the rows that were read and all finished jobs in
     *     lanes, and is a lower bound if the limit was reached
     * @throws IllegalArgumentException if the limit is less than 1
     */
    List<FinishedJobs> finished(int limit);

    /**
     * {@return queues and kinds with waiting jobs that no live worker handles; at most 1,000, among the first 10,000
     * queues and kinds of each waiting state}
     */
    List<UnattendedJobs> unattended();

    /**
     * Pauses a queue: no worker claims from it. Running jobs continue.
     *
     * @param queue its name
     * @throws IllegalArgumentException if the name is malformed
     */
    void pause(String queue);

    /**
     * Resumes a paused queue.
     *
     * @param queue its name
     * @return false if it was not paused
     * @throws IllegalArgumentException if the name is malformed
     */
    boolean resume(String queue);

    /**
     * Pauses all queues, including queues that are created later: after an accident, or in a copy of a database whose
     * jobs must not run. Running jobs continue, and schedules continue to enqueue. Queues that were paused individually
     * stay paused after {@link #resumeAll}.
     */
    void pauseAll();

    /**
     * Ends {@link #pauseAll}. Queues that were paused individually stay paused.
     *
     * @return false if {@link #pauseAll} was not in effect
     */
    boolean resumeAll();

    /** {@return when {@link #pauseAll} was called; empty if it is not in effect} */
    Optional<Instant> allPausedSince();

    /** {@return the queues that were paused individually, by name, with the time of the pause} */
    SortedMap<String, Instant> pausedSince();

    /**
     * Sets the strategy of a queue, for all workers without a strategy of their own. They apply it within about five
     * seconds; jobs already claimed are completed with the strategy that claimed them.
     *
     * @param queue its name
     * @param strategy {@link Strategy#AUTO} removes the setting
     * @throws IllegalArgumentException if the name is malformed
     * @throws SchemaException if the database does not support the strategy
     */
    void setStrategy(String queue, Strategy strategy);
}
