package dev.pawl.lab.run;

import dev.pawl.lab.database.Housing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One repetition of a cell. What was not measured, or could not be, is null.
 *
 * @param cell what was measured
 * @param round of the repetition, from 1
 * @param at when it ended, ISO 8601
 * @param failure why there is no result; null if there is one
 * @param drained of {@link Cell.Measure#DRAIN}
 * @param arrivals of {@link Cell.Measure#LATENCY}
 * @param recoveryMillis of {@link Cell.Measure#RECOVERY}: from the kill to the last start of its jobs elsewhere
 * @param box how quiet the machine was
 * @param loaded of {@link Cell.Measure#LOAD}
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
        @Nullable Loaded loaded) {
    /**
     * A backlog that was written and run.
     *
     * @param startupMillis from the start of the workers to the first execution; not in any rate
     * @param enqueuedPerSecond jobs
     * @param jobsPerSecond jobs, not executions: from the first execution until the store holds no unfinished job
     * @param ownJobsPerSecond the same by a clock of the contender's own, if it has one: for a design of the study the
     *     study's, from the release of the jobs until one of its looks every half second finds none
     * @param longestPauseMillis in which no job began, from the first one to the end; null if that was not seen
     * @param ordering how far jobs ran from their place; null if that was not seen
     * @param executions how many jobs were executed once, twice and so on
     * @param faults what workers and server have counted
     * @param cost what it cost
     * @param backlogPerSecond how fast the jobs were written that wait behind them; null if there were none
     * @param memory of the lab's process, when the last job was done and before the workers were closed
     * @param settledSeconds how long the server was given, between the last job's enqueue and the workers' start, to do what it owed; null if
     *     they started at once
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
     * @param filledPerSecond jobs that were written before the workers were there
     * @param jobsPerSecond that came and went, over the whole time
     * @param atTheEnd the same in the last sixth of the time
     * @param perSecond jobs that were done in each second
     * @param deadRows left at the end
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
     * What the lab's process holds, which is the client of the queue.
     *
     * @param heapBytes after a collection
     * @param residentBytes of the whole process; null where the system does not say
     */
    public record Memory(long heapBytes, @Nullable Long residentBytes) {}

    /**
     * The distances of {@link dev.pawl.lab.study.Ordering}, in figures.
     *
     * @param sourceMean over every execution, as the study has it
     * @param sourceMax the same
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
     * Counted in this trial; null where nobody has counted.
     *
     * @param claims jobs claimed
     * @param claimsLost tries that another worker was faster at
     * @param deadlocks that workers were told of
     * @param lockTimeouts that workers were told of, busy files included
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
     * @param clientCpuMicros of the lab's process for each job; null where others have worked, too
     * @param serverCpuMicros of the server's processes for each job
     * @param logBytes for each job
     * @param deadRows left at the end
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
     * @param p95 95 %
     * @param p99 99 %
     * @param max longest
     * @param curve points of percentile and milliseconds
     */
    public record Latency(double p50, double p95, double p99, double max, List<double[]> curve) {}

    /**
     * The machine during the trial.
     *
     * @param fsyncMicros median time to force a small write to disk, just before
     * @param otherLoad share of all cores that others used; null where that cannot be told
     */
    public record Box(double fsyncMicros, @Nullable Double otherLoad) {
        static Box since(Cpu before, Housing housing, double fsyncMicros) {
            return new Box(
                    fsyncMicros,
                    housing.place() == Housing.Place.UNKNOWN
                            ? null
                            : Cpu.now(housing.processes()).othersSince(before));
        }
    }

    static Trial failed(Cell cell, int round, String failure) {
        return new Trial(cell, round, now(), failure, null, null, null, null, null);
    }

    static Trial of(Cell cell, int round, Drained drained, Box box) {
        return new Trial(cell, round, now(), null, drained, null, null, box, null);
    }

    static Trial of(Cell cell, int round, Arrivals arrivals, Box box) {
        return new Trial(cell, round, now(), null, null, arrivals, null, box, null);
    }

    static Trial of(Cell cell, int round, double recoveryMillis, Box box) {
        return new Trial(cell, round, now(), null, null, null, recoveryMillis, box, null);
    }

    static Trial of(Cell cell, int round, Loaded loaded, Box box) {
        return new Trial(cell, round, now(), null, null, null, null, box, loaded);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
