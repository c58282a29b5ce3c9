package dev.pawl.manager;

import dev.pawl.api.JobHandler;
import dev.pawl.api.Outcome;
import dev.pawl.internal.log.JobsByCause;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that a remote worker runs: accepts them, asks a manager for permission to begin, renews their leases, and
 * reports their outcomes. A job may have been in transit so long that another worker has it by now, so none begins
 * without permission.
 */
final class RemoteJobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteJobs.class);
    private static final int ERROR_LENGTH = 4_000;
    private static final long WATCH_MILLIS = 50;
    /** Minimum interval between log lines about the same cause, so that many jobs produce one line. */
    private static final long LOG_MILLIS = 1_000;

    private static final long RETRY_MILLIS = 200;
    private static final long STOP_SECONDS = 5;

    private final Map<String, JobHandler.WithOutcome<String>> handlers;
    private final int capacity;
    private final Duration answerWithin;
    private final Managers managers = new Managers();
    private final JobsByCause warnings = new JobsByCause();
    private final JobsByCause errors = new JobsByCause();
    private final Callbacks callbacks;
    private final Semaphore permits;
    private final Map<String, WorkerRun> running = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(daemon("pawl-remote"));
    private final ExecutorService renewals = Executors.newCachedThreadPool(daemon("pawl-remote-renew"));
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1, daemon("pawl-remote-clock"));

    RemoteJobs(
            Map<String, JobHandler.WithOutcome<String>> handlers, int capacity, Duration answerWithin, Secret secret) {
        this.handlers = Map.copyOf(handlers);
        this.capacity = capacity;
        this.answerWithin = answerWithin;
        this.callbacks = new Callbacks(secret, managers, warnings);
        this.permits = new Semaphore(capacity);
        ScheduledFuture<?> unused =
                clock.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        unused = clock.scheduleWithFixedDelay(this::logProblems, LOG_MILLIS, LOG_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory daemon(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Stops runs that were not renewed in time and renews those that are due. */
    private void watch() {
        try {
            for (WorkerRun run : running.values()) {
                long now = System.nanoTime();
                if (run.wantsRenewal(now)) {
                    renewals.execute(run::renew);
                }
                run.watch(now);
                if (run.isStuck(now)) {
                    errors.add(
                            "told to stop (" + run.stopped()
                                    + ") but keeps running: its handler ignores its interrupt, and"
                                    + " another worker may run the job at the same time",
                            run.message().id());
                }
            }
        } catch (RuntimeException | Error e) { // a scheduled task that throws would never run again
            LOG.error("cannot watch the runs", e);
        }
    }

    private void logProblems() {
        try {
            warnings.report(LOG::warn);
            errors.report(LOG::error);
        } catch (RuntimeException | Error e) { // thrown while logging
            return;
        }
    }

    HttpEndpoint.Answer answer(HttpEndpoint.Call call) throws Exception {
        if (call.path().equals("/health") && call.method().equals("GET")) {
            String manager = call.headers().get(HttpSettings.CALLBACK_HEADER.toLowerCase(Locale.ROOT));
            if (manager != null) {
                managers.heardFrom(manager);
            }
            return new HttpEndpoint.Answer(
                    200,
                    Map.of(
                            "status",
                            "ok",
                            "capacity",
                            capacity,
                            "running",
                            capacity - permits.availablePermits(),
                            "kinds",
                            handlers.keySet()));
        }
        if (!call.path().equals("/jobs") || !call.method().equals("POST")) {
            return HttpEndpoint.Answer.error(404, "call POST /jobs or GET /health");
        }
        return take(Protocol.job(call.body()));
    }

    private HttpEndpoint.Answer take(Protocol.Job job) throws InterruptedException {
        JobHandler.WithOutcome<String> handler = handlers.get(job.kind());
        if (handler == null) {
            return HttpEndpoint.Answer.error(
                    404, "there is no handler for kind '" + Protocol.cut(job.kind(), 100) + "' here");
        }
        WorkerRun run = new WorkerRun(job, callbacks);
        if (!permits.tryAcquire()) {
            return HttpEndpoint.Answer.error(503, "full: " + capacity + " jobs are running");
        }
        if (running.putIfAbsent(job.token(), run) != null) {
            permits.release();
            return HttpEndpoint.Answer.error(409, "this assignment is running already");
        }
        managers.heardFrom(job.callback());
        Future<HttpEndpoint.Answer> ended = start(handler, run);
        try {
            return ended.get(run.waits(answerWithin), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (run.answerLater()) {
                return new HttpEndpoint.Answer(202, Map.of("status", "accepted"));
            }
            return direct(ended);
        } catch (ExecutionException e) {
            return HttpEndpoint.Answer.error(500, "see the log");
        }
    }

    /** Starts the run; throws if no thread is available. */
    private Future<HttpEndpoint.Answer> start(JobHandler.WithOutcome<String> handler, WorkerRun run) {
        try {
            return threads.submit(() -> run(handler, run));
        } catch (RuntimeException | Error e) {
            running.remove(run.message().token());
            permits.release();
            throw e;
        }
    }

    /** The run ended just before the 202 was sent, so answer with its outcome. */
    private static HttpEndpoint.Answer direct(Future<HttpEndpoint.Answer> ended) throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            return HttpEndpoint.Answer.error(500, "see the log");
        }
    }

    private HttpEndpoint.Answer run(JobHandler.WithOutcome<String> handler, WorkerRun run) {
        try {
            Callbacks.Verdict verdict = mayBegin(run);
            if (verdict == Callbacks.Verdict.GRANTED && !run.begin(Thread.currentThread())) {
                return ended(run, putBack(run));
            }
            if (verdict != Callbacks.Verdict.GRANTED) {
                run.end();
                if (verdict == Callbacks.Verdict.UNREACHABLE) {
                    warnings.add(
                            "not started: no manager can be reached, the first is "
                                    + run.message().callback()
                                    + "; is that address right from here (pawl manage --callback)?",
                            run.message().id());
                }
                return verdict == Callbacks.Verdict.REFUSED
                        ? HttpEndpoint.Answer.error(409, "the managers no longer want the run")
                        : HttpEndpoint.Answer.error(503, "no manager can be reached to permit the run");
            }
            return ended(run, ended(handler, run));
        } finally {
            running.remove(run.message().token());
            permits.release();
        }
    }

    /** {@return the message that puts a job back that may begin here and does not, because the worker stops or its lease is over} */
    private static Map<String, Object> putBack(WorkerRun run) {
        run.end();
        return Protocol.message(Outcome.snoozeFor(Duration.ZERO));
    }

    private HttpEndpoint.Answer ended(WorkerRun run, Map<String, Object> message) {
        if (run.endedLater()) {
            callbacks.report(run, message);
        }
        return new HttpEndpoint.Answer(200, message);
    }

    /** Repeats the call until a manager responds, for at most the length of a lease. */
    private Callbacks.Verdict mayBegin(WorkerRun run) {
        long start = System.nanoTime();
        while (true) {
            Callbacks.Verdict verdict = callbacks.renew(run);
            if (verdict != Callbacks.Verdict.UNREACHABLE || System.nanoTime() - start >= 3 * run.heartbeatNanos()) {
                return verdict;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return verdict;
            }
        }
    }

    private static Map<String, Object> ended(JobHandler.WithOutcome<String> handler, WorkerRun run) {
        Map<String, Object> message;
        try {
            Outcome outcome = handler.handle(run.message().payload(), run);
            message = new HashMap<>(Protocol.message(outcome));
            if (outcome instanceof Outcome.Unavailable outage) {
                run.logLast("not available: " + outage.reason());
            } else if (outcome instanceof Outcome.KeyUnavailable outage) {
                run.logLast("not available for its key: " + outage.reason());
            }
        } catch (Throwable failure) { // an Error of user code is an outcome too
            String why = run.stopped();
            message = new HashMap<>(
                    run.isStoppedByWorker()
                            ? Protocol.message(Outcome.snoozeFor(Duration.ZERO))
                            : Map.of("outcome", "failed", "error", (why == null ? "" : why + "\n") + text(failure)));
        } finally {
            run.end();
        }
        message.put("log", run.lines());
        return message;
    }

    private static String text(Throwable failure) {
        try {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            return Protocol.cut(text.toString(), ERROR_LENGTH);
        } catch (Throwable unspeakable) {
            return failure.getClass().getName() + " (which cannot be printed)";
        }
    }

    /** Interrupts running handlers and puts their jobs back, as far as a manager can be reached in time. */
    @Override
    public void close() {
        running.values().forEach(WorkerRun::workerStops);
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} jobs do not end; they run again after their leases expire", running.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
        renewals.shutdownNow();
        clock.shutdownNow();
        logProblems();
    }
}
