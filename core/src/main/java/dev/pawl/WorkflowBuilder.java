package dev.pawl;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.api.OnFailure;
import dev.pawl.api.QueueFullException;
import dev.pawl.internal.batch.NewNode;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.jdbc.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a {@link Workflow} and their dependencies. Each node has a name, and can depend only on nodes added before it, so there are
 * no cycles. {@link #start()} writes the whole workflow in one transaction. Confined to one thread.
 *
 * <p>At most 1,000 nodes, 10,000 edges between them, 100,000 jobs. Jobs may have all options except a unique key, a
 * delay, {@code availableAt} and a batch.
 */
public final class WorkflowBuilder {
    private static final int MAX_NODES = 1_000;
    private static final int MAX_EDGES = 10_000;
    private static final int MAX_JOBS = 100_000;

    private final JobQueue queue;
    private final String name;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private @Nullable JobRequest onFailed;
    private int edges;
    private int jobs;

    private record Node(String name, List<JobRequest> jobs, Map<Integer, OnFailure> after) {}

    WorkflowBuilder(JobQueue queue, String name) {
        this.queue = queue;
        this.name = Names.checkKey("workflow", name);
    }

    /**
     * Adds a node with one job and the default options of its type. {@link #after(String...)} adds its dependencies.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if the name is malformed or taken, the job is not valid, or the workflow becomes
     *     too large
     */
    public <T> WorkflowBuilder job(String node, JobType<T> type, T payload) {
        return job(node, type, payload, type.defaults());
    }

    /**
     * Adds a node with one job.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param options without a unique key, a delay, {@code availableAt} or a batch
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException as {@link #job(String, JobType, Object)}
     */
    public <T> WorkflowBuilder job(String node, JobType<T> type, T payload, EnqueueOptions options) {
        return add(node, List.of(request(node, type, payload, options)));
    }

    /**
     * Adds a node that depends on the node added last: {@code job(…).then(…).then(…)} is a chain.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException as {@link #job(String, JobType, Object)}, or if it is the first node
     */
    public <T> WorkflowBuilder then(String node, JobType<T> type, T payload) {
        return then(node, type, payload, type.defaults());
    }

    /**
     * Adds a node that depends on the node added last, with options.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param options without a unique key, a delay, {@code availableAt} or a batch
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException as {@link #job(String, JobType, Object)}, or if it is the first node
     */
    public <T> WorkflowBuilder then(String node, JobType<T> type, T payload, EnqueueOptions options) {
        String before = last("then").name;
        return job(node, type, payload, options).after(before);
    }

    /**
     * Adds a node with several jobs; nodes that depend on it wait for all of them. If the number of jobs is not known beforehand, or
     * exceeds the limit, add one job that adds the others to {@link JobQueue#batch(JobRun) its own batch}.
     *
     * @param node the node's name within the workflow, 1 to 200 characters
     * @param type their type, with its default options
     * @param payloads one or more; read once
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException as {@link #job(String, JobType, Object)}, or if there are no payloads
     */
    public <T> WorkflowBuilder jobs(String node, JobType<T> type, Iterable<? extends T> payloads) {
        List<JobRequest> requests = new ArrayList<>();
        for (T payload : payloads) {
            if (jobs + requests.size() == MAX_JOBS) {
                throw tooMany(MAX_JOBS, "jobs: let a job add the others to its own batch, queue.batch(run)");
            }
            requests.add(request(node, type, payload, type.defaults()));
        }
        if (requests.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + node + "' of workflow '" + name + "' has no payloads, so it would never end: leave it out");
        }
        return add(node, requests);
    }

    /**
     * Makes the node added last depend on others. If one of those fails, the dependent node {@linkplain OnFailure#BLOCK
     * stays pending}.
     *
     * @param others names of nodes added before
     * @return this
     * @throws IllegalArgumentException if there is no such node before it, or it depends on that node already
     */
    public WorkflowBuilder after(String... others) {
        return after(OnFailure.BLOCK, others);
    }

    /**
     * Makes the node added last depend on others.
     *
     * @param onFailure what the dependent node does if one of the others fails
     * @param others names of nodes added before
     * @return this
     * @throws IllegalArgumentException if there is no such node before it, or it depends on that node already
     */
    public WorkflowBuilder after(OnFailure onFailure, String... others) {
        Node node = last("after");
        for (String other : others) {
            Integer place = places.get(other);
            if (place == null || place == nodes.size() - 1) {
                throw new IllegalArgumentException(
                        "'" + node.name + "' of workflow '" + name + "' is to run after '" + other
                                + "', which was not added before it: add each job after its dependencies, so that there is no"
                                + " cycle");
            }
            if (node.after.putIfAbsent(place, onFailure) != null) {
                throw new IllegalArgumentException(
                        "'" + node.name + "' of workflow '" + name + "' waits for '" + other + "' twice: name it once");
            }
            edges++;
            if (edges > MAX_EDGES) {
                throw tooMany(MAX_EDGES, "edges: let a node with one small job join many, and others wait for that");
            }
        }
        return this;
    }

    /**
     * Enqueues a job once, in the transaction that finishes the first node with a discarded job. Cancelled jobs do not count. The enqueued
     * job can report that the workflow is blocked. {@link dev.pawl.api.Job#callbackOf} has the id of the workflow.
     *
     * @param type its type; of its default options only queue, priority, attempts, timeout, retry policy, tags and headers may be set
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if the payload cannot be encoded or is too large, or the type has other default options
     */
    public <T> WorkflowBuilder onFailed(JobType<T> type, T payload) {
        onFailed = queue.jobs().callback(type, payload);
        return this;
    }

    /**
     * Writes the workflow in a transaction of its own, or in the surrounding one (see {@link JobQueue}). Jobs without
     * dependencies are available at once.
     *
     * @return the workflow
     * @throws IllegalArgumentException if it has no jobs
     * @throws QueueFullException if its jobs exceed the bound of a queue
     * @throws DatabaseException if the database fails; then it may or may not have been written
     */
    public Workflow start() {
        List<NewNode> made = made();
        return new Workflow(
                queue,
                queue.jobs()
                        .writing(
                                "cannot start the workflow '" + name + "'",
                                requests(),
                                connection -> create(connection, made)));
    }

    /**
     * Writes the workflow in the caller's transaction. It exists, and starts, if that transaction commits.
     *
     * @param connection in a transaction, which the caller commits
     * @return the workflow, provided the transaction commits
     * @throws IllegalArgumentException if it has no jobs, or the connection is in autocommit mode
     * @throws QueueFullException if its jobs exceed the bound of a queue
     * @throws DatabaseException if the database fails
     */
    public Workflow start(Connection connection) {
        List<NewNode> made = made();
        return new Workflow(
                queue,
                Failures.wrapped(
                        "cannot start the workflow '" + name + "'",
                        () -> queue.jobs().writing(connection, requests(), within -> create(within, made))));
    }

    private long create(Connection connection, List<NewNode> made) throws SQLException {
        return queue.runtime().newWorkflows().create(connection, name, onFailed, made);
    }

    private List<NewNode> made() {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("the workflow '" + name + "' has no jobs: add one with job(…)");
        }
        return nodes.stream()
                .map(node -> new NewNode(
                        node.name,
                        node.after.isEmpty()
                                ? node.jobs
                                : node.jobs.stream()
                                        .map(WorkflowBuilder::pending)
                                        .toList(),
                        Map.copyOf(node.after)))
                .toList();
    }

    private List<JobRequest> requests() {
        return nodes.stream().flatMap(node -> node.jobs.stream()).toList();
    }

    private static JobRequest pending(JobRequest job) {
        return OwnOptions.written(job, JobState.PENDING);
    }

    private <T> JobRequest request(String node, JobType<T> type, T payload, EnqueueOptions options) {
        JobRequest request = queue.jobs().request(type, payload, options);
        EnqueueOptions seen = request.options();
        if (seen.uniqueKey() != null
                || seen.availableAt() != null
                || !seen.delay().isZero()
                || OwnOptions.batch(seen) != 0) {
            throw new IllegalArgumentException(
                    "'" + node + "' of workflow '" + name
                            + "' has a unique key, a delay, availableAt or a batch, which the workflow itself sets: leave them out");
        }
        return request;
    }

    private WorkflowBuilder add(String node, List<JobRequest> requests) {
        Names.checkKey("node", node);
        if (nodes.size() == MAX_NODES) {
            throw tooMany(MAX_NODES, "nodes: use jobs(…) for many jobs of one kind");
        }
        if (jobs + requests.size() > MAX_JOBS) {
            throw tooMany(MAX_JOBS, "jobs: let a job add the others to its own batch, queue.batch(run)");
        }
        if (places.putIfAbsent(node, nodes.size()) != null) {
            throw new IllegalArgumentException(
                    "the workflow '" + name + "' has '" + node + "' already: give each node a name of its own");
        }
        jobs += requests.size();
        nodes.add(new Node(node, requests, new HashMap<>()));
        return this;
    }

    private IllegalArgumentException tooMany(int most, String what) {
        return new IllegalArgumentException("the workflow '" + name + "' has more than " + most + " " + what);
    }

    private Node last(String method) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(
                    "the workflow '" + name + "' begins with " + method + "(…): add a job with job(…) first");
        }
        return nodes.get(nodes.size() - 1);
    }
}
