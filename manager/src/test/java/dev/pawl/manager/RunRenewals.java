package dev.pawl.manager;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.HandlerOptions;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRuns;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A run without a worker, renewed by its test. */
final class RunRenewals {
    private final JobQueue queue;
    private RemoteRun run = new RemoteRun(0, 0, "");

    RunRenewals(JobQueue queue) {
        this.queue = queue;
    }

    void begin(long jobId) {
        CompletableFuture<Long> token = new CompletableFuture<>();
        Worker worker = Worker.on(queue)
                .extend(registry -> registry.remote(
                        "work",
                        () -> true,
                        (payload, claimed) -> {
                            token.complete(claimed.leaseToken());
                            return Optional.empty();
                        },
                        HandlerOptions.DEFAULTS))
                .start();
        run = new RemoteRun(jobId, token.join(), "nobody");
        worker.close();
    }

    RemoteRun.Renewal renew(Duration longest) {
        return queue.unwrap(RemoteRuns.class).renew(run, Duration.ofSeconds(30), longest, null);
    }
}
