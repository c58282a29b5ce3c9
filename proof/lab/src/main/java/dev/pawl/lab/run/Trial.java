package dev.pawl.lab.run;

import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.ServerLocation;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One repetition of a cell. Values that were not measured are null.
 *
 * @param cell that was measured
 * @param round of the repetition, from 1
 * @param at when it ended, ISO 8601
 * @param failure why there is no result; null if there is one
 * @param drained of {@link Cell.Measure#DRAIN}
 * @param arrivals of {@link Cell.Measure#LATENCY}
 * @param recoveryMillis of {@link Cell.Measure#RECOVERY}: from the kill to the last start of its jobs on another worker
 * @param box the load of the machine
 * @param loaded of {@link Cell.Measure#LOAD}
 * @param onNodes of {@link Cell.Measure#DRAIN} and {@link Cell.Measure#LATENCY}, of a system that counts its claims
 */
public record Trial(
        Cell cell,
        int round,
        String at,
        @Nullable String failure,
        @Nullable Drained drained,
        @Nullable Arrivals arrivals,
        @Nullable Double recoveryMillis,
        @Nullable Box box,
        @Nullable Loaded loaded,
        @Nullable OnNodes onNodes) {
    /**
     * The claims of workers on one server, or on some nodes of a cluster.
     *
     * @param nodes on which jobs were enqueued and claimed
     * @param claims that got jobs
     * @param lost claims that got none, because another was faster
     * @param longestPauseMillis in which no job began
     */
    public record OnNodes(int nodes, long claims, long lost, double longestPauseMillis) {
        /** {@return the claims of a trial; null if the contender does not count them} */
        static @Nullable OnNodes of(Contender contender, Contender.Counts counts, Scratch scratch, long pauseNanos)
                throws Exception {
            Long claims = contender.claims();
            Long lost = counts.claimsLost();
            return claims == null || lost == null
                    ? null
                    : new OnNodes(scratch.nodes().size(), claims, lost, pauseNanos / 1e6);
        }
    }

    /**
     * An enqueued and drained backlog.
     *
     * @param startupMillis from the start of the workers to the first execution; not part of any rate
     * @param enqueuedPerSecond jobs
     * @param jobsPerSecond jobs, not executions: from the first execution until the store contains no unfinished job
     * @param ownJobsPerSecond the same by the contender's own clock, if it has one. The study's clock runs from the release of the jobs
     *     until one of its polls every half second finds none
     * @param longestPauseMillis in which no job began, from the first one to the end; null if unknown
     * @param ordering distance of executions from their position; null if unknown
     * @param executions how many jobs were executed once, twice and so on
     * @param faults lost claims and lock errors
     * @param cost of the jobs
     * @param backlogPerSecond how fast the backlog behind them was written; null if there was none
     * @param memory of the lab's process, when the last job was done and before the workers were closed
     * @param settledSeconds time for the server to settle between the last job's enqueue and the workers' start; null if they started at
     *     once
     */
    public record Drained(
            double startupMillis,
            double enqueuedPerSecond,
            double jobsPerSecond,
            @Nullable Double ownJobsPerSecond,
            @Nullable Double longestPauseMillis,
            @Nullable OrderFigures ordering,
            Map<Integer, Long> executions,
            Faults faults,
            Cost cost,
            @Nullable Double backlogPerSecond,
            @Nullable Memory memory,
            @Nullable Double settledSeconds) {}

    /**
     * A queue that was kept full while its workers ran.
     *
     * @param filledPerSecond jobs that were written before the workers started
     * @param jobsPerSecond enqueued and finished, over the whole time
     * @param atTheEnd the same in the last sixth of the time
     * @param perSecond finished jobs in each second
     * @param deadRows remaining at the end
     * @param memory of the lab's process at the end
     */
    public record Loaded(
            double filledPerSecond,
            double jobsPerSecond,
            double atTheEnd,
            List<Long> perSecond,
            @Nullable Long deadRows,
            Memory memory) {}

    /**
     * The memory of the lab's process, which is the queue's client.
     *
     * @param heapBytes after a collection
     * @param residentBytes of the whole process; null if unknown
     */
    public record Memory(long heapBytes, @Nullable Long residentBytes) {}

    /**
     * Statistics of the distances of {@link dev.pawl.lab.study.Ordering}.
     *
     * @param sourceMean over every execution, as in the study
     * @param sourceMax over every execution, as in the study
     * @param mean over first executions
     * @param p50 over first executions
     * @param p95 over first executions
     * @param p99 over first executions
     * @param max over first executions
     * @param histogram over every execution, in the study's bins
     * @param roundsInWindow mean number of rounds that a job waited in the window, if there is one: E[X] as measured
     */
    public record OrderFigures(
            double sourceMean,
            long sourceMax,
            double mean,
            long p50,
            long p95,
            long p99,
            long max,
            Map<Long, Long> histogram,
            @Nullable Double roundsInWindow) {}

    /**
     * Counts of this trial; null if unknown.
     *
     * @param claims claimed jobs
     * @param claimsLost attempts that another worker won
     * @param deadlocks deadlock errors of workers
     * @param lockTimeouts lock timeouts of workers, including busy files
     * @param serverDeadlocks by the server's own counter
     * @param serverLockTimeouts by the server's own counter
     */
    public record Faults(
            @Nullable Long claims,
            @Nullable Long claimsLost,
            @Nullable Long deadlocks,
            @Nullable Long lockTimeouts,
            @Nullable Long serverDeadlocks,
            @Nullable Long serverLockTimeouts) {}

    /**
     * Over enqueue and drain.
     *
     * @param clientCpuMicros of the lab's process per job; null if other work ran in it
     * @param serverCpuMicros of the server's processes per job
     * @param logBytes per job
     * @param deadRows remaining at the end
     */
    public record Cost(
            @Nullable Double clientCpuMicros,
            @Nullable Double serverCpuMicros,
            @Nullable Double logBytes,
            @Nullable Long deadRows) {}

    /**
     * Times of single jobs.
     *
     * @param start from enqueue to the start of the handler
     * @param done from enqueue to done
     */
    public record Arrivals(Latency start, Latency done) {}

    /**
     * Milliseconds.
     *
     * @param p50 median
     * @param p95 95th percentile
     * @param p99 99th percentile
     * @param max longest
     * @param curve points of percentile and milliseconds
     */
    public record Latency(double p50, double p95, double p99, double max, List<double[]> curve) {}

    /**
     * The machine during the trial.
     *
     * @param fsyncMicros median time to force a small write to disk, just before
     * @param otherLoad share of all cores that other programs used; null if unknown
     */
    public record Box(double fsyncMicros, @Nullable Double otherLoad) {
        static Box since(Cpu before, ServerLocation location, double fsyncMicros) {
            return new Box(
                    fsyncMicros,
                    location.place() == ServerLocation.Place.UNKNOWN
                            ? null
                            : Cpu.now(location.processes()).othersSince(before));
        }
    }

    static Trial failed(Cell cell, int round, String failure) {
        return new Trial(cell, round, now(), failure, null, null, null, null, null, null);
    }

    static Trial of(Cell cell, int round, Drained drained, Box box, @Nullable OnNodes onNodes) {
        return new Trial(cell, round, now(), null, drained, null, null, box, null, onNodes);
    }

    static Trial of(Cell cell, int round, Arrivals arrivals, Box box, @Nullable OnNodes onNodes) {
        return new Trial(cell, round, now(), null, null, arrivals, null, box, null, onNodes);
    }

    static Trial of(Cell cell, int round, double recoveryMillis, Box box) {
        return new Trial(cell, round, now(), null, null, null, recoveryMillis, box, null, null);
    }

    static Trial of(Cell cell, int round, Loaded loaded, Box box) {
        return new Trial(cell, round, now(), null, null, null, null, box, loaded, null);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
