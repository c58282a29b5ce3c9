package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Prefetch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/workers.md. */
class WorkersTest {
    private static final JobType<String> RENDER = JobType.of("film.render", String.class);
    private static final JobType<Integer> LOAD = JobType.of("file.load", Integer.class);
    private static final JobType<String> SEND = JobType.of("mail.send", String.class);

    private final AtomicInteger rendered = new AtomicInteger();

    private void render(String film) {
        rendered.addAndGet(film.length());
    }

    private void send(String mail) {
        rendered.addAndGet(mail.length());
    }

    @Test
    void aJobTakesSeveralPlaces(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(RENDER, "seven");
            queue.enqueue(SEND, "mail");
            Worker worker = Worker.on(queue)
                    .concurrency(20)
                    .handle(
                            RENDER,
                            (film, run) -> render(film),
                            HandlerOptions.DEFAULTS.weight(5)) // four at once, and no other job beside them
                    .handle(SEND, (mail, run) -> send(mail)) // or fifteen of these beside one
                    .start();
            try (worker) {
                await().until(() -> rendered.get() == 9);
                assertThat(worker.stats().concurrency()).isEqualTo(20);
            }
        }
    }

    private void load(int part) {
        rendered.addAndGet(part);
    }

    @Test
    void aLongRunLooksWhetherItsWorkerIsStopping(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(LOAD, 3);
            Worker worker = Worker.on(queue)
                    .handle(LOAD, Handlers.completing((parts, run) -> {
                        for (int part = 1; part <= parts; part++) {
                            if (run.isStopping()) {
                                return Outcome.snoozeFor(
                                        Duration.ZERO); // another worker continues; no attempt is counted
                            }
                            int number = part;
                            run.step("part " + number, () -> load(number)); // once, even if the job runs several times
                        }
                        return Outcome.completed();
                    }))
                    .start();
            try (worker) {
                await().until(() -> worker.stats().completed() == 1);
                assertThat(rendered).hasValue(6);
            }
        }
    }

    @Test
    void aWorkerHoldsBackAndIsMadeSmaller(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            Worker worker = Worker.on(queue)
                    .prefetch(Prefetch.DEFAULTS.maxHeapUse(0.85))
                    .handle(RENDER, (film, run) -> render(film))
                    .start();
            try (worker) {
                assertThat(worker.stats().heapFull()).isFalse();
                worker.concurrency(5); // in this program, at once
                queue.admin()
                        .workers()
                        .scale(worker.id(), 5); // from anywhere, with its next heartbeat: within about ten seconds
                queue.admin().workers().scaleQueue("mail", 10); // all workers of a queue
                assertThat(worker.concurrency()).isEqualTo(5);
                assertThat(queue.admin().workers().list().get(0).wantedConcurrency())
                        .isEqualTo(5);
            }
        }
    }
}
