package dev.pawl;

import dev.pawl.internal.batch.NewNode;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.store.BatchHeader;
import dev.pawl.internal.words.OwnOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a workflow has, and which of them wait for which. Each has a name of its own and is named after those that it waits
 * for, so there are no circles. {@link #start()} writes all of it at once. Confined to one thread.
 *
 * <p>At most 1,000 nodes, 10,000 edges between them, 100,000 jobs. Jobs may have all options but a unique key, a delay, a moment and a batch.
 */
public final class WorkflowBuilder {
    private static final int MOST_NODES = 1_000;
    private static final int MOST_EDGES = 10_000;
    private static final int MOST_JOBS = 100_000;

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
     * Adds a job, with its type's default options.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return this; what it waits for is told by {@link #after(String...)}
     * @throws InvalidJobException if the name is malformed or there, the job is not valid, or it is too much for a workflow
     */
    public <T> WorkflowBuilder job(String node, JobType<T> type, T payload) {
        return job(node, type, payload, type.defaults());
    }

    /**
     * Adds a job.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param options without a unique key, a delay, a moment or a batch
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException as {@link #job(String, JobType, Object)}
     */
    public <T> WorkflowBuilder job(String node, JobType<T> type, T payload, EnqueueOptions options) {
        return add(node, List.of(request(node, type, payload, options)));
    }

    /**
     * Adds a job that waits for the one that was added last: {@code job(…).then(…).then(…)} is a chain.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException as {@link #job(String, JobType, Object)}, or if it would be the first
     */
    public <T> WorkflowBuilder then(String node, JobType<T> type, T payload) {
        return then(node, type, payload, type.defaults());
    }

    /**
     * Adds a job that waits for the one that was added last.
     *
     * @param node its name within the workflow, 1 to 200 characters
     * @param type its type
     * @param payload its payload
     * @param options without a unique key, a delay, a moment or a batch
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException as {@link #job(String, JobType, Object)}, or if it would be the first
     */
    public <T> WorkflowBuilder then(String node, JobType<T> type, T payload, EnqueueOptions options) {
        String before = last("then").name;
        return job(node, type, payload, options).after(before);
    }

    /**
     * Adds many jobs as one node: who waits for it waits for all of them. A job that adds to {@link JobQueue#batch(JobRun) its own
     * batch} does the same without a limit, and for work whose size nobody knows yet.
     *
     * @param node their name within the workflow, 1 to 200 characters
     * @param type their type, with its default options
     * @param payloads one or more; read once
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException as {@link #job(String, JobType, Object)}, or if there are no payloads
     */
    public <T> WorkflowBuilder jobs(String node, JobType<T> type, Iterable<? extends T> payloads) {
        List<JobRequest> requests = new ArrayList<>();
        for (T payload : payloads) {
            if (jobs + requests.size() == MOST_JOBS) {
                throw tooMany(MOST_JOBS, "jobs: let a job add the others to its own batch, queue.batch(run)");
            }
            requests.add(request(node, type, payload, type.defaults()));
        }
        if (requests.isEmpty()) {
            throw new InvalidJobException(
                    "'" + node + "' of workflow '" + name + "' has no payloads, so it would never end: leave it out");
        }
        return add(node, requests);
    }

    /**
     * What was added last waits for others, and goes on waiting if one of them {@linkplain OnFailure#BLOCK fails}.
     *
     * @param others names of what was added before
     * @return this
     * @throws InvalidJobException if there is no such node before it, or it waits for that already
     */
    public WorkflowBuilder after(String... others) {
        return after(OnFailure.BLOCK, others);
    }

    /**
     * What was added last waits for others.
     *
     * @param onFailure what it does if one of them ends otherwise than completed
     * @param others names of what was added before
     * @return this
     * @throws InvalidJobException if there is no such node before it, or it waits for that already
     */
    public WorkflowBuilder after(OnFailure onFailure, String... others) {
        Node node = last("after");
        for (String other : others) {
            Integer place = places.get(other);
            if (place == null || place == nodes.size() - 1) {
                throw new InvalidJobException("'" + node.name + "' of workflow '" + name + "' is to run after '" + other
                        + "', which was not added before it: add each job after those that it waits for, so that none waits in a"
                        + " circle");
            }
            if (node.after.putIfAbsent(place, onFailure) != null) {
                throw new InvalidJobException(
                        "'" + node.name + "' of workflow '" + name + "' waits for '" + other + "' twice: name it once");
            }
            edges++;
            if (edges > MOST_EDGES) {
                throw tooMany(MOST_EDGES, "edges: let a node with one small job join many, and others wait for that");
            }
        }
        return this;
    }

    /**
     * Enqueues a job when the first node of the workflow has failed: once, by the transaction that ends it. So somebody hears of a
     * workflow that is blocked. Its header {@code pawl-callback-of} is the number of the workflow.
     *
     * @param type its type; of its default options queue, priority and attempts count, and others are refused
     * @param payload its payload
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if it cannot be encoded, is too large, or has other options
     */
    public <T> WorkflowBuilder onFailed(JobType<T> type, T payload) {
        onFailed = queue.callback(type, payload);
        return this;
    }

    /**
     * Writes the workflow in a transaction of its own, or in the surrounding one, as {@link JobQueue#enqueue(JobType, Object)} does. What
     * waits for nothing may begin at once.
     *
     * @return the workflow
     * @throws InvalidJobException if it has no jobs
     * @throws QueueFullException if a queue may not hold so many
     * @throws DatabaseException if the database fails; then it may or may not have been written
     */
    public Workflow start() {
        List<NewNode> made = made();
        return new Workflow(
                queue,
                queue.writing(
                        "cannot start the workflow '" + name + "'",
                        requests(),
                        connection -> create(connection, made)));
    }

    /**
     * Writes it within the caller's transaction: it is there, and begins, if that commits.
     *
     * @param connection in a transaction of the caller, who commits it
     * @return the workflow
     * @throws InvalidJobException if it has no jobs, or the connection commits each statement
     * @throws QueueFullException if a queue may not hold so many
     * @throws DatabaseException if the database fails
     */
    public Workflow start(Connection connection) {
        List<NewNode> made = made();
        return new Workflow(
                queue,
                Failures.wrapped(
                        "cannot start the workflow '" + name + "'",
                        () -> queue.writing(connection, requests(), within -> create(within, made))));
    }

    private long create(Connection connection, List<NewNode> made) throws SQLException {
        return queue.runtime().newWorkflows().create(connection, name, onFailed, made);
    }

    private List<NewNode> made() {
        if (nodes.isEmpty()) {
            throw new InvalidJobException("the workflow '" + name + "' has no jobs: add one with job(…)");
        }
        return nodes.stream()
                .map(node -> new NewNode(
                        node.name,
                        node.after.isEmpty()
                                ? node.jobs
                                : node.jobs.stream()
                                        .map(WorkflowBuilder::blocked)
                                        .toList(),
                        Map.copyOf(node.after)))
                .toList();
    }

    private List<JobRequest> requests() {
        return nodes.stream().flatMap(node -> node.jobs.stream()).toList();
    }

    private static JobRequest blocked(JobRequest job) {
        return new JobRequest(job.kind(), job.payload(), OwnOptions.availableAt(job.options(), Job.BLOCKED));
    }

    private <T> JobRequest request(String node, JobType<T> type, T payload, EnqueueOptions options) {
        JobRequest request = queue.request(type, payload, options);
        EnqueueOptions seen = request.options();
        if (seen.uniqueKey() != null
                || seen.availableAt() != null
                || !seen.delay().isZero()
                || seen.headers().containsKey(BatchHeader.NAME)) {
            throw new InvalidJobException(
                    "'" + node + "' of workflow '" + name
                            + "' has a unique key, a delay, a moment or a batch: a workflow says itself when its jobs run, and they are its own");
        }
        return request;
    }

    private WorkflowBuilder add(String node, List<JobRequest> requests) {
        Names.checkKey("node", node);
        if (nodes.size() == MOST_NODES) {
            throw tooMany(MOST_NODES, "nodes: use jobs(…) for many jobs of one kind");
        }
        if (jobs + requests.size() > MOST_JOBS) {
            throw tooMany(MOST_JOBS, "jobs: let a job add the others to its own batch, queue.batch(run)");
        }
        if (places.putIfAbsent(node, nodes.size()) != null) {
            throw new InvalidJobException(
                    "the workflow '" + name + "' has '" + node + "' already: give each node a name of its own");
        }
        jobs += requests.size();
        nodes.add(new Node(node, requests, new HashMap<>()));
        return this;
    }

    private InvalidJobException tooMany(int most, String what) {
        return new InvalidJobException("the workflow '" + name + "' has more than " + most + " " + what);
    }

    private Node last(String method) {
        if (nodes.isEmpty()) {
            throw new InvalidJobException(
                    "the workflow '" + name + "' begins with " + method + "(…): add a job with job(…) first");
        }
        return nodes.get(nodes.size() - 1);
    }
}
