package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.LogLine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lines that handlers write, kept for a moment and written in batches. Bounded: what does not fit is dropped. */
final class RunLog {
    private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_PER_RUN = 1_000;
    private static final int LONGEST = 2_000;
    private static final int BATCH = 1_000;

    private final JobStore store;
    private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final ConcurrentHashMap<Long, AtomicInteger> linesByJob = new ConcurrentHashMap<>();

    private record Entry(long jobId, int attempt, long writtenNanos, String line) {}

    RunLog(JobStore store) {
        this.store = store;
    }

    void add(Job job, String line) {
        int lines =
                linesByJob.computeIfAbsent(job.id(), id -> new AtomicInteger()).incrementAndGet();
        if (lines <= MOST_PER_RUN) {
            String cut = line.length() <= LONGEST ? line : line.substring(0, LONGEST);
            if (!waiting.offer(new Entry(job.id(), job.attempt(), System.nanoTime(), ErrorText.clean(cut)))) {
                LOG.debug("job {}: a log line is dropped, {} are waiting already", job.id(), MOST_WAITING);
            }
        }
    }

    /** The run is over; its count of lines is not needed any more. */
    void ended(long jobId) {
        linesByJob.remove(jobId);
    }

    /** Writes what is waiting. */
    void flush() throws SQLException {
        List<Entry> entries = new ArrayList<>();
        while (waiting.drainTo(entries, BATCH) > 0) {
            long now = System.nanoTime();
            store.log(entries.stream()
                    .map(entry -> new LogLine(
                            entry.jobId, entry.attempt, Duration.ofNanos(now - entry.writtenNanos), entry.line))
                    .toList());
            entries.clear();
        }
    }
}
