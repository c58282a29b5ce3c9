package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.Workflow;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import dev.pawl.api.TypeToken;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/workflows.md. */
class WorkflowsTest {
    private static final JobType<String> CHARGE = JobType.of("order.charge", String.class);
    private static final JobType<String> PACK = JobType.of("order.pack", String.class);
    private static final JobType<String> SHIP = JobType.of("order.ship", String.class);
    private static final JobType<String> REFUND = JobType.of("order.refund", String.class);
    private static final JobType<String> ALERT = JobType.of("order.alert", String.class);
    private static final JobType<String> CUT = JobType.of("import.cut", String.class);
    private static final JobType<String> READ = JobType.of("import.read", String.class);
    private static final JobType<String> SUM = JobType.of("import.sum", String.class);

    private final Queue<String> done = new ConcurrentLinkedQueue<>();
    private final Parcels parcels = (order, receipt) -> done.add("ship " + order + " " + receipt);

    private interface Parcels {
        void send(String order, String receipt);
    }

    private static List<String> partsOf(String file) {
        return List.of(file + "/1", file + "/2", file + "/3");
    }

    private static int linesOf(String part) {
        return part.length();
    }

    private static void finish(WorkerBuilder builder) throws Exception {
        try (Worker worker = builder.start()) {
            assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void aChainRunsInOrder(@TempDir Path folder) throws Exception {
        String order = "4711";
        try (JobQueue queue = DocsQueue.in(folder)) {
            Workflow workflow = queue.workflow("order 4711")
                    .job("charge", CHARGE, order)
                    .then("pack", PACK, order)
                    .then("ship", SHIP, order)
                    .start();
            WorkerBuilder builder = shipping(queue).handle(PACK, (text, run) -> {
                boolean unused = done.add("pack");
            });
            finish(builder.handle(CHARGE, Handlers.returning((text, run) -> "receipt")));
            assertThat(done).containsExactly("pack", "ship 4711 receipt");
            WorkflowInfo info = workflow.info().orElseThrow();
            assertThat(info.isSuccess()).isTrue();
        }
    }

    private WorkerBuilder shipping(JobQueue queue) {
        return Worker.on(queue).handle(SHIP, (order, run) -> {
            Workflow own = queue.workflow(run).orElseThrow();
            String receipt = own.result("charge", String.class).orElseThrow();
            parcels.send(order, receipt);
        });
    }

    @Test
    void aGraphSaysWhatAFailureDoes(@TempDir Path folder) throws Exception {
        String order = "4711";
        try (JobQueue queue = DocsQueue.in(folder)) {
            Workflow workflow = queue.workflow("order 4711")
                    .job("charge", CHARGE, order)
                    .job("pack", PACK, order)
                    .job("ship", SHIP, order)
                    .after("charge", "pack")
                    .job("refund", REFUND, order)
                    .after(OnFailure.RUN_ANYWAY, "ship")
                    .after("charge")
                    .onFailed(ALERT, order) // raises an alert when a job of the workflow is discarded
                    .start();
            long pack = job(queue, workflow, "pack");
            assertThat(queue.admin().jobs().cancel(pack)).isNotNull();
            finish(shipping(queue).handle(CHARGE, Handlers.returning((text, run) -> "receipt")));
            assertThat(workflow.info().orElseThrow().state()).isEqualTo("blocked");
            assertThat(queue.admin().jobs().cancel(job(queue, workflow, "ship")))
                    .isNotNull();
            finish(Worker.on(queue).handle(ALERT, (text, run) -> {}).handle(REFUND, (text, run) -> {
                boolean unused = done.add("refund");
            }));
            assertThat(done).containsExactly("refund");
            assertThat(workflow.info().orElseThrow().state()).isEqualTo("failed");
        }
    }

    private static long job(JobQueue queue, Workflow workflow, String node) {
        long batch =
                workflow.info().orElseThrow().node(node).orElseThrow().jobs().id();
        return queue.batch(batch).jobs(0, 1).get(0).id();
    }

    @Test
    void aJobAddsToItsNode(@TempDir Path folder) throws Exception {
        try (JobQueue queue = DocsQueue.in(folder)) {
            Workflow workflow = queue.workflow("customers.csv")
                    .job("cut", CUT, "customers.csv")
                    .then("sum", SUM, "customers.csv")
                    .start();
            WorkerBuilder builder = cutting(queue);
            finish(builder.handle(SUM, (name, run) -> {
                Workflow own = queue.workflow(run).orElseThrow();
                own.results("cut", TypeToken.of(Integer.class), lines -> {
                    boolean unused = done.add(lines.toString());
                });
            }));
            assertThat(done).containsExactly("15", "15", "15");
            assertThat(workflow.info().orElseThrow().isSuccess()).isTrue();
        }
    }

    private static WorkerBuilder cutting(JobQueue queue) {
        return Worker.on(queue)
                .handle(CUT, (file, run) -> queue.batch(run).orElseThrow().enqueueAll(READ, partsOf(file)))
                .handle(READ, Handlers.returning((part, run) -> linesOf(part)));
    }
}
