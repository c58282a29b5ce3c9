package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An order is charged while it is packed, and shipped when both are done. At first the card is declined, so the node that ships the order
 * waits until the charge is retried and completes.
 */
public final class Order implements Example {
    private static final JobType<Integer> CHARGE = JobType.of("order.charge", Integer.class);
    private static final JobType<Integer> PACK = JobType.of("order.pack", Integer.class);
    private static final JobType<Integer> SHIP = JobType.of("order.ship", Integer.class);
    private static final JobType<Integer> THANK = JobType.of("order.thank", Integer.class);

    @Override
    public String name() {
        return "order";
    }

    @Override
    public String shows() {
        return "a workflow: jobs that wait for others, the effect of failures, and results of earlier jobs";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        AtomicBoolean declined = new AtomicBoolean(true);
        Worker worker = Worker.on(queue)
                .handle(CHARGE, Handlers.returning((order, run) -> {
                    if (declined.get()) {
                        throw new IllegalStateException("the card was declined");
                    }
                    return "receipt " + order;
                }))
                .handle(PACK, Handlers.returning((order, run) -> "two parcels"))
                .handle(SHIP, Handlers.returning((order, run) -> {
                    Workflow own = queue.workflow(run).orElseThrow();
                    Optional<String> packed = own.result("pack", String.class);
                    return packed.orElseThrow() + " shipped, "
                            + own.result("charge", String.class).orElseThrow();
                }))
                .handle(THANK, (order, run) -> {})
                .start();
        try (worker) {
            Workflow workflow = queue.workflow("order 4711")
                    .job("charge", CHARGE, 4711, CHARGE.defaults().maxAttempts(1))
                    .job("pack", PACK, 4711)
                    .job("ship", SHIP, 4711)
                    .after("charge", "pack")
                    .job("thank", THANK, 4711)
                    .after(OnFailure.CANCEL, "ship")
                    .start();
            worker.awaitIdle(Duration.ofMinutes(1));
            print(workflow, out);

            declined.set(false);
            long charge = info(workflow).node("charge").orElseThrow().jobs().id();
            out.println("retry: "
                    + queue.admin()
                            .jobs()
                            .retry(queue.batch(charge).jobs(0, 1).get(0).id()));
            worker.awaitIdle(Duration.ofMinutes(1));
            print(workflow, out);
            out.println(workflow.result("ship", String.class).orElseThrow());
        }
    }

    private static WorkflowInfo info(Workflow workflow) {
        return workflow.info().orElseThrow();
    }

    private static void print(Workflow workflow, PrintWriter out) {
        WorkflowInfo info = info(workflow);
        out.println("workflow " + info.id() + " is " + info.state());
        info.nodes().forEach(node -> out.println("  " + node.name() + " " + info.state(node)));
    }
}
