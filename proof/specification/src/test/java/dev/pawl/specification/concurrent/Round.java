package dev.pawl.specification.concurrent;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.specification.concurrent.History.BatchEnd;
import dev.pawl.specification.concurrent.History.Changed;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Flow;
import dev.pawl.specification.concurrent.History.Verb;
import dev.pawl.specification.faults.EngineError.Driver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Runs clients and workers at once on a new database, until all jobs have ended. During the round one worker stops and another one starts,
 * and a third is cut off from the database for a while. Calls of the workers that are not cut off may be answered with errors of other
 * database engines.
 */
final class Round implements AutoCloseable {
    private static final int CLIENTS = 3;
    private static final Duration LONGEST = Duration.ofSeconds(90);

    private final long seed;
    private final TestDatabase database;
    private final HikariDataSource pool;
    /** The pool of the worker that is cut off. It is separate, because the broken connections must not affect other workers. */
    private final HikariDataSource distantPool;

    /** The pool of the other workers. If calls are answered with errors, it is a separate pool for the same reason. */
    private final HikariDataSource answeredPool;

    private final JobQueue queue;
    private final History history = new History();
    private final Handling handling;
    private final Network network;
    private final JobQueue distant;
    /** The database of the other workers, which may answer with errors. */
    private final Unreliable unreliable;

    private final JobQueue answered;
    /**
     * The lease duration of the other workers. It is short if calls are answered with errors, because the jobs of a claim whose reply is
     * lost wait until their leases expire.
     */
    private final Duration leases;

    Round(TestServer server, long seed) {
        this(server, seed, Set.of());
    }

    /** @param engines the drivers of the engines whose errors are injected into calls of the database; empty for no errors */
    Round(TestServer server, long seed, Set<Driver> engines) {
        this.seed = seed;
        database = server.createDatabase();
        pool = database.newDataSource(12);
        queue = JobQueue.open(pool);
        handling = new Handling(seed, history);
        distantPool = database.newDataSource(8);
        network = new Network(distantPool);
        distant = JobQueue.builder(network.dataSource()).notifications(false).open();
        answeredPool = engines.isEmpty() ? pool : database.newDataSource(12);
        unreliable = new Unreliable(answeredPool, engines, seed);
        answered = engines.isEmpty()
                ? queue
                : JobQueue.builder(unreliable.dataSource()).notifications(false).open();
        leases = Duration.ofSeconds(engines.isEmpty() ? 20 : 2);
        Rules.set(queue);
    }

    /** {@return how many calls were answered with an engine's error} */
    int answers() {
        return unreliable.answered();
    }

    /**
     * @param steps of each client
     * @return the history of the round
     */
    History run(int steps) throws Exception {
        Shared shared = new Shared();
        List<Worker> workers = new ArrayList<>();
        Stalls stalls = new Stalls(history);
        Thread watch = new Thread(stalls, "stalls");
        watch.start();
        try {
            workers.add(worker(answered, "first", leases));
            workers.add(worker(answered, "second", leases));
            workers.add(worker(distant, "cut off", Duration.ofSeconds(1)));
            unreliable.begin();
            atOnce(steps, shared, workers.get(0));
            workers.add(worker(answered, "another", leases));
            boolean unused = queue.schedules().pause("ticks");
            drain();
            unreliable.end();
            cancelWhatIsBlocked();
            drain();
            fillGaps(shared);
            drain();
            eraseTheRest(new People(queue, history, new Random(seed), shared));
            history.last.putAll(drain());
        } finally {
            workers.forEach(Worker::close);
            stalls.end();
        }
        watch.join();
        Set<Long> flows = history.flows.stream().map(Flow::id).collect(Collectors.toSet());
        shared.sealed.forEach((batch, span) -> history.batches.add(
                new BatchEnd(span, queue.batch(batch).info().orElseThrow(), flows.contains(batch))));
        history.traces.putAll(Traces.of(pool, history));
        return history;
    }

    private static void eraseTheRest(People people) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (!people.eraseTheRest() && System.nanoTime() - deadline < 0) {
            Delay.poll(50);
        }
    }

    /** Cancels the workflows, some of whose jobs would wait forever. */
    private void cancelWhatIsBlocked() {
        for (Flow flow : history.flows) {
            long from = System.nanoTime();
            if (queue.workflow(flow.id()).cancel() > 0) {
                flow.nodes().stream()
                        .flatMap(node -> node.jobs().keySet().stream())
                        .forEach(job -> history.changed.add(new Changed(Span.since(from), job, Verb.CANCEL, false)));
            }
        }
    }

    /** Runs the clients, an observer, and the disturbances of the workers. */
    private void atOnce(int steps, Shared shared, Worker first) throws Exception {
        List<Callable<Boolean>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Client client = new Client(queue, pool, history, new Random(seed * 7 + i), steps, shared, i == 0);
            clients.add(() -> {
                client.run();
                return true;
            });
        }
        clients.add(() -> disturb(first));
        Observer observer = new Observer(queue, history);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> observing = threads.submit(observer);
            for (Future<Boolean> client : threads.invokeAll(clients)) {
                client.get();
            }
            observer.end();
            observing.get();
        } finally {
            threads.shutdownNow();
        }
    }

    /** One worker is cut off and comes back; another one stops. */
    private boolean disturb(Worker first) throws InterruptedException {
        Delay.quiet(200);
        network.cut();
        first.stop(Duration.ofSeconds(5));
        Delay.quiet(700);
        network.mend();
        return true;
    }

    private Worker worker(JobQueue on, String name, Duration lease) {
        SlotSeries numbers = on.slots().series("numbers").ttl(Duration.ofSeconds(1));
        WorkerBuilder worker = Worker.on(on)
                .name(name)
                .queues(Rules.QUEUES.toArray(String[]::new))
                .concurrency(4)
                .lease(lease)
                .pollInterval(Duration.ofMillis(50))
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .strategy(seed % 2 == 0 ? Strategy.LANES : Strategy.ROWS)
                .handle(Kinds.PLAIN, Handlers.completing(handling::handle))
                .handle(Kinds.OTHER, Handlers.completing(handling::handle))
                .handle(Kinds.FEW, Handlers.completing(handling::handle))
                .handle(Kinds.RATED, Handlers.completing(handling::handle))
                .handle(Kinds.PRIVATE, Handlers.completing(handling::confided))
                .handle(Kinds.SLOT, Handlers.completing(numbers.aroundWithOutcome(handling::handle)))
                .handle(Kinds.CALLBACK, handling::called)
                .handle(Kinds.TICK, handling::called)
                .listener(handling::hear);
        return worker.schedule(Schedule.of("ticks", Kinds.TICK, "tick", Recurrence.every(Rules.SECOND))
                        .overlap(Overlap.ALLOW)
                        .missed(Missed.all(100)))
                .start();
    }

    /** {@return all jobs, when all have ended} */
    private Map<Long, Job> drain() throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        Map<Long, Job> before = Map.of();
        while (true) {
            Map<Long, Job> jobs = new HashMap<>();
            Observer.list(queue).forEach(job -> jobs.put(job.id(), job));
            boolean haveEnded = jobs.values().stream()
                    .allMatch(job -> job.state().isFinished() || WorkflowsHold.isBlocked(history, job, jobs));
            if ((haveEnded && jobs.keySet().equals(before.keySet())) || System.nanoTime() - deadline > 0) {
                return jobs;
            }
            before = haveEnded ? jobs : Map.of();
            Delay.poll(20);
        }
    }

    /** Other jobs take the slots that failed jobs have returned. */
    private void fillGaps(Shared shared) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            int gaps = queue.slots().gaps("numbers", 100).size();
            if (gaps == 0) {
                return;
            }
            for (int j = 0; j < gaps; j++) {
                int marker = Handling.SMOOTH + shared.markers.incrementAndGet();
                long from = System.nanoTime();
                EnqueueResult result = queue.enqueue(Kinds.SLOT, marker);
                history.enqueued.add(new Enqueued(Span.since(from), marker, "slot", Kinds.SLOT.defaults(), result));
            }
            drain();
            Delay.poll(50);
        }
    }

    @Override
    public void close() {
        queue.close();
        answered.close();
        distant.close();
        pool.close();
        answeredPool.close();
        distantPool.close();
        database.close();
    }
}
