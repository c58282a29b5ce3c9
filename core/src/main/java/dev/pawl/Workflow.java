package dev.pawl;

import dev.pawl.admin.WorkflowInfo;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.jdbc.Failures;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Jobs that wait for each other: a graph of nodes, each one job or many. A job becomes available in the very transaction in which the
 * last one that it waits for ends. Thread-safe; it holds nothing and need not be closed.
 */
public final class Workflow {
    private static final int PAGE = 500;

    private final JobQueue queue;
    private final long id;

    Workflow(JobQueue queue, long id) {
        this.queue = queue;
        this.id = id;
    }

    /** {@return its number; workflows and batches are counted together} */
    public long id() {
        return id;
    }

    /**
     * {@return how far it is; empty if there is no such workflow, or none any more}
     *
     * @throws DatabaseException if the database fails
     */
    public Optional<WorkflowInfo> info() {
        return queue.admin().workflow(id);
    }

    /**
     * What the job of a node gave back.
     *
     * @param node its name
     * @param type of what it gave
     * @param <R> what it gave
     * @return empty if it has not completed, gave nothing, or is kept no longer; of a node with many jobs, the one of the first that gave any
     * @throws InvalidJobException if there is no such node, or the text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> Optional<R> result(String node, TypeToken<R> type) {
        return page(node(node), 0, 1).stream().findFirst().map(found -> decoded(found, type));
    }

    /**
     * The same for a type without parameters.
     *
     * @param node its name
     * @param type of what it gave
     * @param <R> what it gave
     * @return see {@link #result(String, TypeToken)}
     * @throws InvalidJobException if there is no such node, or the text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> Optional<R> result(String node, Class<R> type) {
        return result(node, TypeToken.of(type));
    }

    /**
     * What the jobs of a node gave back, in the order of their ids; those that gave nothing are passed by. Read 500 at a time, so there may be
     * many.
     *
     * @param node its name
     * @param type of what they gave
     * @param each is given one after the other
     * @param <R> what they gave
     * @throws InvalidJobException if there is no such node, or a text does not fit the type
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
     * The same for a type without parameters.
     *
     * @param node its name
     * @param type of what they gave
     * @param each is given one after the other
     * @param <R> what they gave
     * @throws InvalidJobException if there is no such node, or a text does not fit the type
     * @throws DatabaseException if the database fails
     */
    public <R> void results(String node, Class<R> type, Consumer<? super R> each) {
        results(node, TypeToken.of(type), each);
    }

    /**
     * Cancels all of its jobs, those that come last first: what waits has ended after this, what runs is asked to stop.
     *
     * @return how many were cancelled or asked to stop
     * @throws DatabaseException if the database fails; then some may have been cancelled
     */
    public long cancel() {
        return queue.admin().cancelWorkflow(id);
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
