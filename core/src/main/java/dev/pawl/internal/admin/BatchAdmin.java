package dev.pawl.internal.admin;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.Job;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlWorkflows;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Lists and cancels the jobs of batches and workflows. Thread-safe. */
public final class BatchAdmin {
    private final AdminCalls calls;
    private final JobQueries jobQueries;
    private final SqlBatches batches;
    private final SqlWorkflows workflows;
    private final BatchChanges changes;

    /**
     * @param calls reach the database
     * @param jobCommands change single jobs
     * @param workflows reads workflows and their batches
     */
    BatchAdmin(AdminCalls calls, JobCommands jobCommands, SqlWorkflows workflows) {
        this.calls = calls;
        this.jobQueries = new JobQueries(calls.database().dialect());
        this.batches = workflows.batches();
        this.workflows = workflows;
        this.changes = new BatchChanges(calls.database(), workflows, jobCommands);
    }

    /** {@return the batches below an id that are not part of another batch, newest first} */
    public List<BatchInfo> list(long below, int limit) {
        return calls.run("cannot list the batches", () -> batches.list(below, limit));
    }

    /** {@return the batches within another, in the order in which they were opened} */
    public List<BatchInfo> within(long parent, int limit) {
        return calls.run("cannot list the batches within batch " + parent, () -> batches.children(parent, limit));
    }

    /** {@return the jobs of a batch after an id, by ascending id} */
    public List<Job> jobs(long batch, long after, int limit) {
        return calls.run("cannot list the jobs of batch " + batch, () -> {
            List<Long> ids = batches.jobs(batch, after, limit);
            return List.copyOf(calls.database()
                    .autocommit(connection -> jobQueries.findAll(connection, ids))
                    .values());
        });
    }

    /** Cancels the jobs of a batch and of its inner batches; returns how many were cancelled or requested to stop. */
    public long cancel(long batch) {
        return calls.change("cannot cancel the jobs of batch " + batch, () -> changes.cancel(batch));
    }

    /** {@return the workflows below an id, newest first} */
    public List<BatchInfo> workflows(long below, int limit) {
        return calls.run("cannot list the workflows", () -> workflows.list(below, limit));
    }

    /** {@return a workflow with its nodes; empty if it does not exist, or was pruned} */
    public Optional<WorkflowInfo> workflow(long workflow) {
        return calls.run("cannot read workflow " + workflow, () -> workflows.find(workflow));
    }

    /** {@return the id of the workflow of a job; empty if it belongs to none, or the workflow was pruned} */
    public OptionalLong workflowOf(Job job) {
        OptionalLong node = job.batch();
        return node.isEmpty()
                ? node
                : calls.run("cannot find the workflow of job " + job.id(), () -> workflows.of(node.getAsLong()));
    }

    /** Cancels the jobs of a workflow; returns how many were cancelled or requested to stop. */
    public long cancelWorkflow(long workflow) {
        return calls.change("cannot cancel the jobs of workflow " + workflow, () -> changes.cancelWorkflow(workflow));
    }
}
