package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnFailure;
import dev.pawl.specification.concurrent.History.Flow;
import dev.pawl.specification.concurrent.History.Node;
import dev.pawl.specification.concurrent.History.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs of a node start when all its dependencies have ended with outcomes that allow it. Otherwise these jobs never start. A job that a
 * user has cancelled need not start.
 */
final class WorkflowsHold implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        Map<Long, List<Run>> runs = new HashMap<>();
        history.accepted()
                .forEach(run -> runs.computeIfAbsent(run.job().id(), any -> new ArrayList<>())
                        .add(run));
        List<String> broken = new ArrayList<>();
        for (Flow flow : history.flows) {
            for (int place = 0; place < flow.nodes().size(); place++) {
                check(flow, place, runs, history, broken);
            }
        }
        return broken;
    }

    private static void check(Flow flow, int place, Map<Long, List<Run>> runs, History history, List<String> broken) {
        Node node = flow.nodes().get(place);
        String name = "of node " + place + " of workflow " + flow.id();
        long mayBegin = node.after().keySet().stream()
                .flatMap(before -> flow.nodes().get(before).jobs().keySet().stream())
                .flatMap(job -> runs.getOrDefault(job, List.of()).stream())
                .mapToLong(run -> run.span().to())
                .max()
                .orElse(Long.MIN_VALUE);
        boolean isLet = isLet(flow, node, history.last);
        for (long job : node.jobs().keySet()) {
            List<Run> ofJob = runs.getOrDefault(job, List.of());
            Job last = history.last.get(job);
            ofJob.stream()
                    .filter(run -> run.span().from() < mayBegin)
                    .forEach(run -> broken.add(run.lease() + " " + name + " began before what it waits for had ended"));
            if (!isLet && (!ofJob.isEmpty() || (last != null && last.state() != JobState.CANCELLED))) {
                broken.add("job " + job + " " + name + " has run, and waits for one that has failed: " + last);
            }
            boolean hasRun = history.runs.stream().anyMatch(run -> run.job().id() == job);
            if (isLet && !hasRun && !history.isTouched(job)) {
                broken.add("job " + job + " " + name + " has not run: " + last);
            }
        }
    }

    private static boolean isLet(Flow flow, Node node, Map<Long, Job> jobs) {
        return node.after().entrySet().stream()
                .allMatch(edge -> edge.getValue() == OnFailure.RUN_ANYWAY
                        || flow.nodes().get(edge.getKey()).jobs().keySet().stream()
                                .map(jobs::get)
                                .allMatch(job -> job != null && job.state() == JobState.COMPLETED));
    }

    /** {@return whether a job waits forever, because a dependency has failed} */
    static boolean isBlocked(History history, Job job, Map<Long, Job> jobs) {
        return job.state() == JobState.PENDING
                && history.flows.stream().anyMatch(flow -> isBlocked(flow, job.id(), jobs));
    }

    private static boolean isBlocked(Flow flow, long job, Map<Long, Job> jobs) {
        return flow.nodes().stream()
                .filter(node -> node.jobs().containsKey(job))
                .flatMap(node -> node.after().entrySet().stream())
                .anyMatch(edge -> isStuck(flow, edge.getKey(), edge.getValue(), jobs));
    }

    private static boolean isStuck(Flow flow, int before, OnFailure onFailure, Map<Long, Job> jobs) {
        return flow.nodes().get(before).jobs().keySet().stream().anyMatch(id -> {
            Job job = jobs.get(id);
            boolean hasFailed = job != null && job.state().isFinished() && job.state() != JobState.COMPLETED;
            return (hasFailed && onFailure == OnFailure.BLOCK)
                    || (job != null && job.state() == JobState.PENDING && isBlocked(flow, id, jobs));
        });
    }
}
