package dev.pawl.specification.concurrent;

import dev.pawl.JobQueue;
import dev.pawl.WorkflowBuilder;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import dev.pawl.specification.concurrent.History.Flow;
import dev.pawl.specification.concurrent.History.Node;
import dev.pawl.specification.concurrent.History.Verb;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Starts random workflows. */
final class Flows {
    private static final List<OnFailure> ON_FAILURE = List.of(OnFailure.values());

    private static final int MAX_NODES = 4;
    private static final int MAX_JOBS = 3;

    private final JobQueue queue;
    private final History history;
    private final Random drawn;
    private final Shared shared;

    Flows(JobQueue queue, History history, Random drawn, Shared shared) {
        this.queue = queue;
        this.history = history;
        this.drawn = drawn;
        this.shared = shared;
    }

    void start() {
        WorkflowBuilder builder = queue.workflow("flow");
        int nodes = 2 + drawn.nextInt(MAX_NODES - 1);
        List<Map<Integer, OnFailure>> edges = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            JobType<Integer> type = Kinds.OF_FLOWS.get(drawn.nextInt(Kinds.OF_FLOWS.size()));
            builder = drawn.nextInt(4) == 0
                    ? builder.jobs("n" + node, type, markers(1 + drawn.nextInt(MAX_JOBS)))
                    : builder.job("n" + node, type, markers(1).get(0), options());
            Map<Integer, OnFailure> after = new HashMap<>();
            for (int before = 0; before < node; before++) {
                if (drawn.nextInt(2) == 0) {
                    OnFailure onFailure = ON_FAILURE.get(drawn.nextInt(ON_FAILURE.size()));
                    after.put(before, onFailure);
                    builder = builder.after(onFailure, "n" + before);
                }
            }
            edges.add(after);
        }
        long from = System.nanoTime();
        long id = builder.onFailed(Kinds.CALLBACK, "failed").start().id();
        shared.sealed.put(id, Span.since(from));
        started(id, edges);
    }

    private List<Integer> markers(int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(job -> shared.markers.incrementAndGet())
                .toList();
    }

    private EnqueueOptions options() {
        EnqueueOptions options = EnqueueOptions.DEFAULTS.maxAttempts(1 + drawn.nextInt(2));
        if (drawn.nextInt(4) == 0) {
            options = options.queue(Rules.QUEUES.get(drawn.nextInt(Rules.QUEUES.size())));
        }
        return drawn.nextInt(5) == 0 ? options.key(drawn.nextBoolean() ? "x" : "y") : options;
    }

    private void started(long id, List<Map<Integer, OnFailure>> edges) {
        WorkflowInfo info = queue.workflow(id).info().orElseThrow();
        List<Node> nodes = new ArrayList<>();
        for (int node = 0; node < edges.size(); node++) {
            Map<Long, Integer> jobs = new HashMap<>();
            queue.batch(info.node("n" + node).orElseThrow().jobs().id())
                    .jobs(0, MAX_JOBS)
                    .forEach(job -> jobs.put(job.id(), Integer.parseInt(job.payload())));
            nodes.add(new Node(jobs, edges.get(node)));
            jobs.keySet().forEach(job -> shared.mayTouch(job, EnumSet.of(Verb.CANCEL)));
        }
        history.flows.add(new Flow(id, nodes));
    }
}
