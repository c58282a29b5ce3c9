package dev.pawl.lab.run;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.contender.Setup;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.ServerLocation;
import dev.pawl.lab.database.ServerProbe;
import dev.pawl.lab.database.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * One trial of {@link Cell.Measure#LOAD}: a queue is filled, then its workers run for a given time while one thread
 * enqueues a job for each finished one. So tables and logs are loaded as much as possible for the whole time.
 */
final class LoadTrial {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CHUNK = 1000;
    private static final int CHUNKS_IN_QUEUE = 10;
    private static final int PARTS = 6;

    private final Target target;
    private final Cell cell;
    private final LabFile.Plan plan;
    private String settings = "";

    LoadTrial(Target target, Cell cell, LabFile.Plan plan) {
        this.target = target;
        this.cell = cell;
        this.plan = plan;
    }

    String settings() {
        return settings;
    }

    @SuppressWarnings("try") // the workers run while this is open
    Trial run(int round) throws Exception {
        double fsync = Disk.fsyncMicros();
        ServerLocation location = target.location();
        Cpu before = Cpu.now(location.processes());
        try (Scratch scratch = target.scratch();
                HikariDataSource pool = scratch.pool(1);
                Contender contender = Contenders.open(new Setup(
                        cell.system(),
                        scratch,
                        cell.workers(),
                        0,
                        cell.batch(),
                        cell.payloadBytes(),
                        cell.handlerMillis()));
                AppliedDisturbance disturbance = AppliedDisturbance.of(cell, plan, contender, scratch)) {
            settings = contender.settings();
            long begun = System.nanoTime();
            contender.enqueue(0, cell.jobs());
            double filled = cell.jobs() / ((System.nanoTime() - begun) / 1e9);
            disturbance.jobsAreThere();
            Load load = new Load(cell.handlerMillis());
            List<Long> perSecond;
            Trial.Memory memory;
            ExecutorService producer = Executors.newSingleThreadExecutor(task -> new Thread(task, "lab-producer"));
            try (Contender.Running running = contender.start(load)) {
                Future<?> producing = producer.submit(() -> produce(contender, load));
                perSecond = sampled(load, producing);
                memory = ClientMemory.now();
            } finally {
                end(producer);
            }
            return Trial.of(
                    cell,
                    round,
                    new Trial.Loaded(
                            filled,
                            mean(perSecond, perSecond.size()),
                            mean(perSecond, Math.max(1, perSecond.size() / PARTS)),
                            perSecond,
                            new ServerProbe(scratch, pool).read().deadRows(),
                            memory),
                    Trial.Box.since(before, location, fsync));
        }
    }

    /** Waits for the end of the producer's statement, because the database is dropped next. */
    private static void end(ExecutorService producer) throws InterruptedException {
        producer.shutdownNow();
        if (!producer.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("an enqueue did not end within " + PATIENCE.toMinutes() + " min");
        }
    }

    /** Enqueues a job for each finished one, until interrupted. */
    private Void produce(Contender contender, Load load) throws Exception {
        int chunk = Math.max(1, Math.min(CHUNK, cell.jobs() / CHUNKS_IN_QUEUE));
        int next = cell.jobs();
        while (true) {
            load.room.acquire(chunk);
            contender.enqueue(next, next + chunk);
            next += chunk;
        }
    }

    private List<Long> sampled(Load load, Future<?> producing) throws InterruptedException, ExecutionException {
        if (!load.begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("no job was done within " + PATIENCE.toMinutes() + " min");
        }
        long start = System.nanoTime();
        long before = load.done.sum();
        List<Long> perSecond = new ArrayList<>();
        for (int second = 1; second <= plan.secondsOfLoad(); second++) {
            TimeUnit.NANOSECONDS.sleep(start + TimeUnit.SECONDS.toNanos(second) - System.nanoTime());
            if (producing.isDone()) {
                producing.get(); // it ends only by an error
            }
            long now = load.done.sum();
            perSecond.add(now - before);
            before = now;
        }
        return perSecond;
    }

    private static double mean(List<Long> perSecond, int last) {
        return perSecond.subList(perSecond.size() - last, perSecond.size()).stream()
                .mapToLong(Long::longValue)
                .average()
                .orElse(0);
    }

    /** Counts finished jobs, and releases permits for as many new ones. Thread-safe. */
    private static final class Load implements Contender.Handler {
        private final int handlerMillis;
        private final CountDownLatch begun = new CountDownLatch(1);
        private final LongAdder done = new LongAdder();
        private final Semaphore room = new Semaphore(0);

        Load(int handlerMillis) {
            this.handlerMillis = handlerMillis;
        }

        @Override
        public void run(int job) throws Exception {
            if (handlerMillis > 0) {
                TimeUnit.MILLISECONDS.sleep(handlerMillis);
            }
        }

        @Override
        public void done(int job) {
            done.increment();
            room.release();
            begun.countDown();
        }
    }
}
