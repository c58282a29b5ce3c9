package dev.pawl.lab.run;

import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.contender.Contenders;
import dev.pawl.lab.contender.Setup;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.ServerLocation;
import dev.pawl.lab.database.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * One trial of {@link Cell.Measure#LATENCY}: jobs arrive one by one at a constant rate, whether the queue keeps up or
 * not, and times count from the moment a job was due to arrive.
 */
final class LatencyTrial {
    private static final int WARM_UP = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Between two polls of the output of other processes. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private static final double[] PERCENTILES = {0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 100};

    private final Target target;
    private final Cell cell;
    private String settings = "";

    LatencyTrial(Target target, Cell cell) {
        this.target = target;
        this.cell = cell;
    }

    String settings() {
        return settings;
    }

    Trial run(int round) throws Exception {
        double fsync = Disk.fsyncMicros();
        ServerLocation location = target.location();
        Cpu before = Cpu.now(location.processes());
        int all = WARM_UP + cell.jobs();
        Executions executions = new Executions(all, cell.handlerMillis(), false, null, Contender.RemoteRecording.TIMES);
        long[] due = new long[all];
        try (Scratch scratch = target.scratch();
                Contender contender = Contenders.open(new Setup(
                        cell.system(),
                        scratch,
                        cell.workers(),
                        cell.processes(),
                        cell.batch(),
                        cell.payloadBytes(),
                        cell.handlerMillis()))) {
            settings = contender.settings();
            Contender.Running running = contender.start(executions);
            try {
                arrive(contender, due);
                awaitDone(running, executions);
            } finally {
                running.close();
            }
            return Trial.of(
                    cell,
                    round,
                    new Trial.Arrivals(latency(due, executions::startedNanos), latency(due, executions::doneNanos)),
                    cell.processes() > 0 || Contenders.family(cell.system()) == Contenders.Family.BROKER
                            ? new Trial.Box(fsync, null)
                            : Trial.Box.since(before, location, fsync));
        }
    }

    private static void awaitDone(Contender.Running running, Executions executions) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!executions.awaitDone(POLL_INTERVAL)) {
            running.collect();
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        executions.left() + " jobs did not run within " + PATIENCE.toMinutes() + " min");
            }
        }
    }

    private void arrive(Contender contender, long[] due) throws Exception {
        long start = System.nanoTime();
        for (int job = 0; job < due.length; job++) {
            due[job] = start + job * 1_000_000_000L / cell.rate();
            while (System.nanoTime() < due[job]) {
                LockSupport.parkNanos(due[job] - System.nanoTime());
            }
            contender.enqueue(job, job + 1);
        }
    }

    private static Trial.Latency latency(long[] due, IntToLongFunction moment) {
        Histogram micros = new Histogram(3);
        for (int job = WARM_UP; job < due.length; job++) {
            micros.recordValue(Math.max(0, (moment.applyAsLong(job) - due[job]) / 1000));
        }
        List<double[]> curve = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            curve.add(new double[] {percentile, micros.getValueAtPercentile(percentile) / 1e3});
        }
        return new Trial.Latency(
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(95) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getMaxValue() / 1e3,
                curve);
    }
}
