package dev.pawl.manager;

import dev.pawl.JobHandler;
import dev.pawl.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The jobs that a remote worker runs: takes them, keeps their managers informed, reports how they ended. */
final class RemoteJobs implements AutoCloseable {
    private static final int ERROR_LENGTH = 4_000;

    private final Map<String, JobHandler.WithOutcome<String>> handlers;
    private final int capacity;
    private final Duration answerWithin;
    private final Callbacks callbacks;
    private final Semaphore room;
    private final Map<String, RemoteRun> running = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(daemon("pawl-remote"));
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1, daemon("pawl-remote-clock"));

    RemoteJobs(
            Map<String, JobHandler.WithOutcome<String>> handlers, int capacity, Duration answerWithin, Secret secret) {
        this.handlers = Map.copyOf(handlers);
        this.capacity = capacity;
        this.answerWithin = answerWithin;
        this.callbacks = new Callbacks(secret);
        this.room = new Semaphore(capacity);
    }

    private static ThreadFactory daemon(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    HttpEndpoint.Answer answer(String method, String path, byte[] body) throws Exception {
        if (path.equals("/health") && method.equals("GET")) {
            return new HttpEndpoint.Answer(
                    200,
                    Map.of(
                            "status",
                            "ok",
                            "capacity",
                            capacity,
                            "running",
                            capacity - room.availablePermits(),
                            "kinds",
                            handlers.keySet()));
        }
        if (!path.equals("/jobs") || !method.equals("POST")) {
            return HttpEndpoint.Answer.error(404, "call POST /jobs or GET /health");
        }
        return take(Protocol.job(body));
    }

    private HttpEndpoint.Answer take(Protocol.Job job) throws InterruptedException {
        JobHandler.WithOutcome<String> handler = handlers.get(job.kind());
        if (handler == null) {
            return HttpEndpoint.Answer.error(
                    404, "there is no handler for kind '" + Protocol.cut(job.kind(), 100) + "' here");
        }
        RemoteRun run = new RemoteRun(job, callbacks);
        if (!room.tryAcquire()) {
            return HttpEndpoint.Answer.error(503, "no room: " + capacity + " jobs are running");
        }
        if (running.putIfAbsent(job.token(), run) != null) {
            room.release();
            return HttpEndpoint.Answer.error(409, "this assignment is running already");
        }
        Future<Map<String, Object>> ended = threads.submit(() -> run(handler, run));
        try {
            return new HttpEndpoint.Answer(200, ended.get(answerWithin.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            if (run.answerLater()) {
                return new HttpEndpoint.Answer(202, Map.of("status", "accepted"));
            }
            return direct(ended);
        } catch (ExecutionException e) {
            return HttpEndpoint.Answer.error(500, "see the log");
        }
    }

    /** It ended at the moment when we were about to say 202. */
    private static HttpEndpoint.Answer direct(Future<Map<String, Object>> ended) throws InterruptedException {
        try {
            return new HttpEndpoint.Answer(200, ended.get());
        } catch (ExecutionException e) {
            return HttpEndpoint.Answer.error(500, "see the log");
        }
    }

    private Map<String, Object> run(JobHandler.WithOutcome<String> handler, RemoteRun run) {
        long heartbeat = (long) (run.message().heartbeatSeconds() * 1e9 / 2);
        ScheduledFuture<?> renewals = clock.scheduleWithFixedDelay(
                () -> threads.execute(run::renew), heartbeat, Math.max(heartbeat, 1), TimeUnit.NANOSECONDS);
        ScheduledFuture<?> deadline =
                clock.schedule(run::deadline, (long) (run.message().deadlineSeconds() * 1000), TimeUnit.MILLISECONDS);
        Map<String, Object> message;
        try {
            run.begin(Thread.currentThread());
            message = new HashMap<>(Protocol.message(handle(handler, run)));
        } catch (Throwable failure) { // an Error of user code, too, is an outcome
            message = new HashMap<>(Map.of("outcome", "failed", "error", text(failure)));
        } finally {
            run.end();
            renewals.cancel(false);
            deadline.cancel(false);
            running.remove(run.message().token());
            room.release();
        }
        message.put("log", run.lines());
        if (run.endedLater()) {
            callbacks.report(run, message);
        }
        return message;
    }

    private static Outcome handle(JobHandler.WithOutcome<String> handler, RemoteRun run) throws Exception {
        return handler.handle(run.message().payload(), run);
    }

    private static String text(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text));
        return Protocol.cut(text.toString(), ERROR_LENGTH);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        clock.shutdownNow();
    }
}
