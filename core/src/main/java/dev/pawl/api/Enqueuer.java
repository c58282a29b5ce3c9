package dev.pawl.api;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Enqueues jobs. Its origin decides which transaction writes the jobs, and whether they belong to a batch:
 *
 * <ul>
 *   <li>{@link dev.pawl.JobQueue} commits in transactions of its own, or joins a surrounding transaction of the framework, see {@link
 *       FrameworkTransactions}.
 *   <li>{@link dev.pawl.JobQueue#within JobQueue.within(connection)} writes in the caller's transaction: the jobs exist
 *       if, and as soon as, that transaction commits.
 *   <li>{@link dev.pawl.Batch} uses transactions like {@code JobQueue}, and {@link dev.pawl.Batch#within Batch.within(connection)} like
 *       {@code JobQueue.within}. Both add the jobs to the batch. An existing job that is found by its unique key ({@link
 *       EnqueueResult.Duplicate}) does not join the batch.
 * </ul>
 *
 * <p>Queues and batches are thread-safe; an enqueuer of a connection is used like the connection, by one thread at a time. Every method
 * throws {@link QueueFullException} if a queue has reached its bound of waiting jobs, and {@link IllegalStateException} if the {@code
 * JobQueue} is closed or read-only. If the connection of the caller's transaction is in autocommit mode, bulk methods throw {@link
 * InvalidJobException}. The other methods then throw it for a job that needs a transaction: a job with a concurrency key, a batch, or a
 * unique key with a duration or a scope other than the default. After an exception, the caller must roll its transaction back.
 *
 * <p>Code that enqueues can take an {@code Enqueuer} as its parameter and leave the transaction to its caller.
 */
public interface Enqueuer {
    /**
     * Enqueues a job with the default options of its type.
     *
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return the id of the new or existing job; in the caller's transaction, valid only if that transaction commits
     * @throws InvalidJobException if the payload cannot be encoded or is too large, or the batch is sealed
     * @throws DatabaseException if the database fails; then a job outside the caller's transaction may or may not have
     *     been written
     */
    default <T> EnqueueResult enqueue(JobType<T> type, T payload) {
        return enqueue(type, payload, type.defaults());
    }

    /**
     * Enqueues a job.
     *
     * @param type its type
     * @param payload its payload
     * @param options how to enqueue it; they replace the defaults of the type
     * @param <T> the payload
     * @return the id of the new or existing job; in the caller's transaction, valid only if that transaction commits
     * @throws InvalidJobException if the payload cannot be encoded or is too large, or the batch is sealed
     * @throws DatabaseException if the database fails; then a job outside the caller's transaction may or may not have
     *     been written
     */
    <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options);

    /**
     * Enqueues an encoded job.
     *
     * @param request the job
     * @return the id of the new or existing job; in the caller's transaction, valid only if that transaction commits
     * @throws InvalidJobException if the payload is too large, or the batch is sealed
     * @throws DatabaseException if the database fails; then a job outside the caller's transaction may or may not have
     *     been written
     */
    EnqueueResult enqueue(JobRequest request);

    /**
     * Enqueues many jobs in constant memory, with the default options of their type. Each round trip writes up to 1,000 jobs or about 4 MB.
     * A {@code JobQueue} commits each round trip on its own, so the jobs of earlier round trips stay if one fails. In the caller's
     * transaction, or in a surrounding one, all jobs are written or none.
     *
     * @param type their type
     * @param payloads read once
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large, or the batch is sealed
     * @throws DatabaseException if the database fails
     */
    default <T> BulkResult enqueueAll(JobType<T> type, Iterable<? extends T> payloads) {
        return enqueueAll(type, payloads, payload -> type.defaults());
    }

    /**
     * Enqueues many jobs like {@link #enqueueAll(JobType, Iterable)}, each with options of its own.
     *
     * @param type their type
     * @param payloads read once
     * @param options returns the options for a payload
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large, or the batch is sealed
     * @throws DatabaseException if the database fails
     */
    <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options);

    /**
     * Enqueues many jobs like {@link #enqueueAll(JobType, Iterable)}, from a stream that is read lazily and closed.
     *
     * @param type their type; its default options are used
     * @param payloads read once
     * @param <T> the payload
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload cannot be encoded or is too large, or the batch is sealed
     * @throws DatabaseException if the database fails
     */
    default <T> BulkResult enqueueAll(JobType<T> type, Stream<? extends T> payloads) {
        try (payloads) {
            return enqueueAll(type, (Iterable<T>)
                    () -> payloads.<T>map(payload -> payload).iterator());
        }
    }

    /**
     * Enqueues many encoded jobs like {@link #enqueueAll(JobType, Iterable)}.
     *
     * @param requests read once
     * @return how many jobs were inserted, and how many existed already
     * @throws InvalidJobException if a payload is too large, or the batch is sealed
     * @throws DatabaseException if the database fails
     */
    BulkResult enqueueAll(Iterable<JobRequest> requests);

    /**
     * Enqueues encoded jobs in one transaction, all or none, and returns a result for each. Each round trip writes up
     * to 1,000 jobs or about 4 MB; jobs with a unique key are written one at a time, sorted by key.
     *
     * @param requests the jobs; at most a few thousand, because they are held in memory
     * @return a result for each, in order
     * @throws InvalidJobException if a payload is too large, or the batch is sealed
     * @throws DatabaseException if the database fails; then jobs outside the caller's transaction may or may not have
     *     been written
     */
    List<EnqueueResult> enqueueEach(List<JobRequest> requests);

    /**
     * Enqueues a job for each row of a query, in one transaction, all or none. For data in the same database, such as
     * one mail for each subscriber. The rows pass the same checks as any other enqueue.
     *
     * @param options the options of all jobs
     * @param query selects two columns: the kind, and the payload as the codec writes it (JSON by default); with
     *     {@code ?} for values. The driver decides how many rows are held in memory
     * @param values for the placeholders of the query, in order
     * @return how many jobs were inserted, and how many existed already
     * @throws IllegalArgumentException if the query does not have exactly two columns, or a row is not valid
     * @throws InvalidJobException if the batch is sealed
     * @throws DatabaseException if the database fails or refuses the query; then jobs outside the caller's transaction
     *     may or may not have been written
     */
    BulkResult enqueueFrom(EnqueueOptions options, String query, Object... values);
}
