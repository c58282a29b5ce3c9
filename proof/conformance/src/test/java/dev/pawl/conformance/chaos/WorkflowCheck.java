package dev.pawl.conformance.chaos;

import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.WorkflowBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Makes random workflows, and checks the invariants of a workflow after all work has ended. */
public final class WorkflowCheck {
    /** The payload is the percentage of runs that fail. A run returns how many of its node's dependencies are still open. */
    public static final JobType<Integer> NODE = JobType.of("node", Integer.class);

    private static final int MAX = 10_000;

    private WorkflowCheck() {}

    /**
     * All facts about a workflow.
     *
     * @param info as the API reports it
     * @param jobs of each node
     * @param early what the runs of each node returned, which is above 0 if a run was too early
     * @param retried nodes with jobs that a user has retried; the nodes after them may have run before the retry
     */
    public record Fact(
            WorkflowInfo info, Map<String, List<Job>> jobs, Map<String, List<Integer>> early, Set<String> retried) {}

    /** {@return a workflow with edges of all kinds} */
    public static Workflow random(JobQueue queue, Random random) {
        WorkflowBuilder workflow = queue.workflow("random");
        int nodes = 2 + random.nextInt(8);
        OnFailure[] policies = OnFailure.values();
        for (int node = 0; node < nodes; node++) {
            if (random.nextInt(4) == 0) {
                workflow.jobs("n" + node, NODE, List.of(0, 10, 10, 20));
            } else {
                EnqueueOptions options = NODE.defaults().maxAttempts(1 + random.nextInt(2));
                boolean keyed = random.nextInt(5) == 0;
                workflow.job("n" + node, NODE, 30, keyed ? options.key("k") : options);
            }
            for (int before = 0; before < node; before++) {
                if (random.nextInt(3) == 0) {
                    workflow.after(policies[random.nextInt(policies.length)], "n" + before);
                }
            }
        }
        return workflow.start();
    }

    /** The handler of all nodes. */
    public static void run(JobQueue queue, int percent, JobRun run) throws Exception {
        long node = run.job().batch().orElseThrow();
        WorkflowInfo info = queue.workflow(run).flatMap(Workflow::info).orElseThrow();
        int unmet = (int) info.nodes().stream()
                .filter(one -> one.jobs().id() == node)
                .flatMap(one -> one.after().stream())
                .filter(after -> !after.isMet())
                .count();
        run.result(unmet);
        Random random = new Random(31 * run.job().id() + run.attempt());
        if (unmet == 0 && random.nextInt(100) < percent) {
            throw new IllegalStateException("on purpose");
        }
        if (random.nextInt(8) == 0) {
            queue.batch(run).orElseThrow().enqueue(NODE, 0);
        }
        if (random.nextInt(4) == 0) {
            run.transaction(connection -> {});
        }
    }

    /** User commands. */
    public static void runUserCommand(Admin admin, Random random, Set<Long> retried) {
        List<Job> jobs = admin.jobs().list(JobFilter.ALL.kind(NODE.kind()).limit(50));
        if (jobs.isEmpty()) {
            return;
        }
        Job job = jobs.get(random.nextInt(jobs.size()));
        if (random.nextInt(4) == 0) {
            admin.jobs().cancel(job.id());
        } else if (job.state() == JobState.DISCARDED || random.nextInt(8) == 0) {
            retried.add(job.batch().orElseThrow());
            admin.jobs().retry(job.id());
        }
    }

    /** {@return the jobs that are neither finished nor pending} */
    public static List<Job> live(Admin admin) {
        return admin.jobs().list(JobFilter.ALL.limit(MAX)).stream()
                .filter(job -> !job.state().isFinished() && job.state() != JobState.PENDING)
                .toList();
    }

    /** {@return the facts about a workflow} */
    public static Fact fact(JobQueue queue, long workflow, Set<Long> retried) {
        WorkflowInfo info = queue.workflow(workflow).info().orElseThrow();
        Map<String, List<Job>> jobs = new HashMap<>();
        Map<String, List<Integer>> early = new HashMap<>();
        Set<String> again = new HashSet<>();
        for (WorkflowNode node : info.nodes()) {
            List<Job> all = queue.batch(node.jobs().id()).jobs(0, MAX);
            jobs.put(node.name(), all);
            early.put(
                    node.name(),
                    all.stream()
                            .flatMap(job -> queue.admin().jobs().result(job.id()).stream())
                            .map(Integer::valueOf)
                            .toList());
            if (retried.contains(node.jobs().id())) {
                again.add(node.name());
            }
        }
        return new Fact(info, jobs, early, again);
    }

    /** {@return the violated invariants} */
    public static List<String> violations(Fact fact) {
        List<String> found = new ArrayList<>();
        WorkflowInfo info = fact.info;
        for (WorkflowNode node : info.nodes()) {
            List<Job> jobs = fact.jobs.getOrDefault(node.name(), List.of());
            List<String> here = new ArrayList<>();
            counts(here, node.jobs(), jobs);
            edges(here, fact, node, jobs);
            here.forEach(what -> found.add("node " + node.name() + " " + what + ": " + node));
        }
        long ended = info.nodes().stream().filter(node -> node.jobs().isDone()).count();
        long completed =
                info.nodes().stream().filter(node -> node.jobs().isSuccess()).count();
        expect(found, info.whole().ended() == ended, "the workflow counts its nodes wrongly: " + info);
        expect(found, info.whole().completed() == completed, "the workflow counts completed nodes wrongly: " + info);
        expect(found, info.isDone() == (ended == info.nodes().size()), "the workflow is stuck: " + info);
        return found;
    }

    private static void counts(List<String> found, BatchInfo info, List<Job> jobs) {
        expect(found, info.jobs() == jobs.size(), "has lost count of its jobs");
        expect(found, info.completed() == count(jobs, JobState.COMPLETED), "counts completed ones wrongly");
        expect(found, info.failed() == count(jobs, JobState.DISCARDED), "counts failed ones wrongly");
        expect(found, info.cancelled() == count(jobs, JobState.CANCELLED), "counts cancelled ones wrongly");
        expect(
                found,
                jobs.stream().allMatch(job -> job.state().isFinished() || job.state() == JobState.PENDING),
                "has jobs that have not come to rest");
    }

    private static long count(List<Job> jobs, JobState state) {
        return jobs.stream().filter(job -> job.state() == state).count();
    }

    private static void edges(List<String> found, Fact fact, WorkflowNode node, List<Job> jobs) {
        boolean retried = fact.retried.contains(node.name());
        boolean retriedBefore = false;
        boolean mayRun = true;
        boolean blocked = jobs.stream().anyMatch(job -> job.state() == JobState.PENDING);
        for (WorkflowNode.After after : node.after()) {
            BatchInfo before = fact.info.node(after.node()).orElseThrow().jobs();
            boolean met = before.isSuccess() || (before.isDone() && after.onFailure() == OnFailure.RUN_ANYWAY);
            expect(found, met == after.isMet(), "is wrong about " + after.node());
            mayRun &= met;
            retriedBefore |= fact.retried.contains(after.node());
            boolean cancels = before.isDone() && !met && after.onFailure() == OnFailure.CANCEL;
            expect(found, retried || !cancels || !blocked, "was not cancelled");
        }
        expect(found, !mayRun || node.isFree(), "was not released: stuck");
        expect(found, mayRun || !node.isFree() || retriedBefore, "was released too early");
        expect(found, !node.isFree() || !blocked, "has jobs that were left behind: stuck");
        boolean early = fact.early.getOrDefault(node.name(), List.of()).stream().anyMatch(unmet -> unmet > 0);
        expect(found, !early || retried || retriedBefore, "has run too early");
    }

    private static void expect(List<String> found, boolean holds, String violation) {
        if (!holds) {
            found.add(violation);
        }
    }
}
