package dev.pawl.metrics;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.RetryPolicy;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A separate process that runs the job enqueued by another one, and prints the spans of its collector. */
final class TracedWorker {
    private TracedWorker() {}

    public static void main(String[] arguments) throws InterruptedException {
        CollectedTelemetry here = new CollectedTelemetry();
        CountDownLatch done = new CountDownLatch(1);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            pool.setMaximumPoolSize(4);
            try (JobQueue queue = here.traces().trace(JobQueue.builder(pool)).open();
                    Worker worker = here.traces()
                            .trace(Worker.on(queue))
                            .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                            .handle(TracesTest.WORK, (payload, run) -> {
                                if (run.attempt() == 1) {
                                    throw new IllegalStateException("down");
                                }
                                done.countDown();
                            })
                            .start()) {
                done.await();
                worker.drain();
            }
        }
        for (SpanData span : here.spans("process default")) {
            System.out.println("span " + span.getTraceId() + " " + span.getParentSpanId() + " " + span.getName() + " "
                    + span.getAttributes().get(AttributeKey.longKey(Names.ATTEMPT)) + " "
                    + span.getStatus().getStatusCode() + " "
                    + span.getAttributes().get(AttributeKey.stringKey(Names.JOB_ID)));
        }
        System.out.println("done");
    }
}
