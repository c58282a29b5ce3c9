package dev.pawl.dashboard.internal.change;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.internal.web.Call;
import java.util.Map;

/** Changes of a batch or a workflow. */
public final class BatchChanges {
    private final JobQueue queue;

    private BatchChanges(JobQueue queue) {
        this.queue = queue;
    }

    /** Adds the changes. */
    public static void add(Changes changes, JobQueue queue) {
        BatchChanges batches = new BatchChanges(queue);
        changes.add("/batches/{id}/seal", batches::seal);
        changes.add("/batches/{id}/cancel", batches::cancel);
        changes.add("/batches/{id}/pause", batches::pause);
        changes.add("/batches/{id}/resume", batches::resume);
        changes.add("/workflows/{id}/cancel", batches::cancelWorkflow);
    }

    private ChangeResponse seal(Call call) {
        if (isMissing(call)) {
            return missing(call);
        }
        boolean sealed = queue.batch(call.id()).seal();
        return ChangeResponse.of(
                "batch " + call.id() + (sealed ? " is sealed: no more jobs can be added" : " was sealed already"),
                Map.of("batch", call.id(), "sealed", sealed));
    }

    private ChangeResponse cancel(Call call) {
        if (isMissing(call)) {
            return missing(call);
        }
        long jobs = queue.batch(call.id()).cancel();
        return ChangeResponse.of(
                jobs + " job(s) of batch " + call.id() + " are cancelled, or asked to stop",
                Map.of("batch", call.id(), "cancelled", jobs));
    }

    private ChangeResponse pause(Call call) {
        if (isMissing(call)) {
            return missing(call);
        }
        queue.batch(call.id()).pause();
        return ChangeResponse.of(
                "batch " + call.id() + " is paused: within seconds no more of its jobs begin",
                Map.of("batch", call.id(), "paused", true));
    }

    private ChangeResponse resume(Call call) {
        if (isMissing(call)) {
            return missing(call);
        }
        boolean resumed = queue.batch(call.id()).resume();
        return ChangeResponse.of(
                "batch " + call.id() + (resumed ? " is resumed" : " was not paused"),
                Map.of("batch", call.id(), "resumed", resumed));
    }

    private ChangeResponse cancelWorkflow(Call call) {
        if (queue.workflow(call.id()).info().isEmpty()) {
            return ChangeResponse.not(404, "workflow " + call.id() + " does not exist, or it was pruned");
        }
        long jobs = queue.workflow(call.id()).cancel();
        return ChangeResponse.of(
                jobs + " job(s) of workflow " + call.id() + " are cancelled, or asked to stop",
                Map.of("workflow", call.id(), "cancelled", jobs));
    }

    private boolean isMissing(Call call) {
        return queue.batch(call.id()).info().isEmpty();
    }

    private static ChangeResponse missing(Call call) {
        return ChangeResponse.not(404, "batch " + call.id() + " does not exist, or it was pruned");
    }
}
