package dev.pawl.manager;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunElsewhere;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A run without a worker, renewed by its test. */
final class RunRenewals {
    private final JobQueue queue;
    private RunElsewhere run = new RunElsewhere(0, 0, "");

    RunRenewals(JobQueue queue) {
        this.queue = queue;
    }

    void begin(long jobId) {
        CompletableFuture<Long> token = new CompletableFuture<>();
        Worker worker = Worker.on(queue)
                .handleElsewhere(
                        "work",
                        () -> true,
                        (payload, claimed) -> {
                            token.complete(claimed.leaseToken());
                            return Outcome.elsewhere();
                        },
                        HandlerOptions.DEFAULTS)
                .start();
        run = new RunElsewhere(jobId, token.join(), "nobody");
        worker.close();
    }

    RunElsewhere.Renewal renew(Duration longest) {
        return queue.runsElsewhere().renew(run, Duration.ofSeconds(30), longest, null);
    }
}
