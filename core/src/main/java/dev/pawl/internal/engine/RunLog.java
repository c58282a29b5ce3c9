package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.log.JobsByCause;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.LogLine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log lines of handlers, buffered and written in batches. Bounded: excess lines are dropped. */
final class RunLog {
    private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);
    private static final int MAX_WAITING = 10_000;
    /** Maximum number of lines of a run. */
    static final int MAX_PER_RUN = 1_000;

    private static final int LONGEST = 2_000;
    private static final int BATCH = 1_000;

    private final JobStore store;
    private final BlockingQueue<Entry> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    /** Lines of a failed flush; used by one flush at a time. */
    private final List<Entry> unwritten = new ArrayList<>();

    private final JobsByCause unwritable = new JobsByCause();

    private record Entry(long jobId, int attempt, long writtenNanos, String line) {}

    RunLog(JobStore store) {
        this.store = store;
    }

    void add(Job job, String line) {
        String cut = line.length() <= LONGEST ? line : line.substring(0, LONGEST);
        if (!waiting.offer(new Entry(job.id(), job.attempt(), System.nanoTime(), ErrorText.clean(cut)))) {
            LOG.debug("job {}: a log line is dropped, {} are waiting already", job.id(), MAX_WAITING);
        }
    }

    /** {@return whether everything is written} */
    synchronized boolean isEmpty() {
        return waiting.isEmpty() && unwritten.isEmpty();
    }

    /** Writes the buffered lines. Lines that cannot be written wait for the next flush, unless the database refuses them. */
    synchronized void flush() throws SQLException {
        List<Entry> entries = new ArrayList<>(unwritten);
        unwritten.clear();
        while (waiting.drainTo(entries, BATCH - entries.size()) > 0 || !entries.isEmpty()) {
            write(entries);
            entries.clear();
            unwritable.report(LOG::warn);
        }
    }

    private void write(List<Entry> entries) throws SQLException {
        long now = System.nanoTime();
        try {
            store.log(entries.stream()
                    .map(entry -> new LogLine(
                            entry.jobId, entry.attempt, Duration.ofNanos(now - entry.writtenNanos), entry.line))
                    .toList());
        } catch (SQLException e) {
            if (store.isTransient(e)) {
                unwritten.addAll(entries);
                throw e;
            }
            if (entries.size() == 1) {
                unwritable.add("a line of its log cannot be written: " + e, entries.get(0).jobId);
                return;
            }
            oneByOne(entries); // one bad line must not block the others
        }
    }

    /** If the database becomes unavailable, the rest waits for the next flush. */
    private void oneByOne(List<Entry> entries) throws SQLException {
        for (int i = 0; i < entries.size(); i++) {
            try {
                write(entries.subList(i, i + 1));
            } catch (SQLException away) {
                unwritten.addAll(entries.subList(i + 1, entries.size()));
                throw away;
            }
        }
    }
}
