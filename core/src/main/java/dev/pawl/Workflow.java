package dev.pawl;

import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Names;
import dev.pawl.api.TypeToken;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.jdbc.Failures;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Jobs that depend on each other: a graph of nodes, each of one job or several. A job becomes available in the transaction that finishes
 * the last job on which it depends; if that releases more than 1,000 jobs, a worker releases the rest afterwards. Thread-safe; it holds no
 * resources and need not be closed.
 */
public final class Workflow {
    private static final int PAGE = 500;

    private final JobQueue queue;
    private final long id;

    Workflow(JobQueue queue, long id) {
        this.queue = queue;
        this.id = id;
    }

    /** {@return its id, from the same sequence as ids of batches} */
    public long id() {
        return id;
    }

    /**
     * {@return its progress; empty if it does not exist, or was pruned}
     *
     * @throws DatabaseException if the database fails
     */
    public Optional<WorkflowInfo> info() {
        return queue.batchAdmin().workflow(id);
    }

    /**
     * Returns the result of a node.
     *
     * @param node its name
     * @param type of the result
     * @param <R> the result
     * @return the result; empty if its job has not completed, has no result, or is no longer kept. Of a node with
     *     several jobs, the first result
     * @throws InvalidJobException if there is no such node, or the stored text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> Optional<R> result(String node, TypeToken<R> type) {
        return page(node(node), 0, 1).stream().findFirst().map(found -> decoded(found, type));
    }

    /**
     * Returns the result of a node, of a type without parameters.
     *
     * @param node its name
     * @param type of the result
     * @param <R> the result
     * @return see {@link #result(String, TypeToken)}
     * @throws InvalidJobException if there is no such node, or the stored text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> Optional<R> result(String node, Class<R> type) {
        return result(node, TypeToken.of(type));
    }

    /**
     * Passes the results of a node's jobs to a consumer, in the order of their ids; jobs without a result are skipped. Reads 500 results at
     * a time, so a large number of them needs little memory.
     *
     * @param node its name
     * @param type of the results
     * @param each called for each result in turn
     * @param <R> a result
     * @throws InvalidJobException if there is no such node, or a stored text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> void results(String node, TypeToken<R> type, Consumer<? super R> each) {
        long batch = node(node);
        long last = 0;
        List<SqlWorkflows.Result> page;
        do {
            page = page(batch, last, PAGE);
            for (SqlWorkflows.Result found : page) {
                each.accept(decoded(found, type));
                last = found.job();
            }
        } while (page.size() == PAGE);
    }

    /**
     * Passes the results of a node's jobs to a consumer, for a type without parameters.
     *
     * @param node its name
     * @param type of the results
     * @param each called for each result in turn
     * @param <R> a result
     * @throws InvalidJobException if there is no such node, or a stored text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> void results(String node, Class<R> type, Consumer<? super R> each) {
        results(node, TypeToken.of(type), each);
    }

    /**
     * Cancels all of its jobs, dependent ones first: waiting jobs are cancelled, and the cancellation of running jobs
     * is requested.
     *
     * @return the number of jobs cancelled or requested to stop
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    public long cancel() {
        return queue.batchAdmin().cancelWorkflow(id);
    }

    private long node(String name) {
        Names.checkText("node", name, name);
        OptionalLong node = Failures.wrapped(
                "cannot look for node '" + name + "' of workflow " + id,
                () -> queue.runtime().workflows().node(id, name));
        return node.orElseThrow(
                () -> new InvalidJobException("workflow " + id + " has no node '" + name + "', or it was pruned"));
    }

    private List<SqlWorkflows.Result> page(long node, long after, int limit) {
        return Failures.wrapped(
                "cannot read results of workflow " + id,
                () -> queue.runtime().workflows().results(node, after, limit));
    }

    private <R> R decoded(SqlWorkflows.Result found, TypeToken<R> type) {
        return Objects.requireNonNull(Results.decode(queue.runtime().codec(), found.job(), found.text(), type));
    }
}
