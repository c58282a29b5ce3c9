package dev.pawl.internal.key;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.internal.engine.ErrorText;
import dev.pawl.internal.engine.HumanDuration;
import dev.pawl.internal.engine.LaterTry;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerHost;
import dev.pawl.internal.store.WorkerPart;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases blocked jobs of concurrency keys: when a job of the key finishes here, after notifications of new jobs, and when a delayed job
 * becomes due. A sweep of all keys every few seconds covers crashes and other workers. There are no sweeps while there are no keyed jobs.
 * Runs in one thread.
 */
public final class KeyKeeper implements WorkerPart {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.key");
    private static final Duration NEXT_SWEEP = Duration.ofSeconds(5);
    private static final long SWEEP = NEXT_SWEEP.toNanos();
    private static final long SOON = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    /**
     * How long keyed jobs are assumed to exist after the last one was seen, so that the first job after a break does not wait. Checks are
     * cheap.
     */
    private static final long REMEMBERED = TimeUnit.MINUTES.toNanos(10);

    /** Deletes keys without jobs every five minutes. */
    private static final int SWEEPS_UNTIL_EMPTY = 60;

    private final String worker;
    private final ConcurrencyKeys concurrencyKeys;
    private final Set<String> queues;
    private final WorkerHost host;
    private final KeyReleaser keyReleaser;
    private final LaterTry laterTry;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final KeySchedule due = new KeySchedule();
    /** Outages that jobs have reported, not yet written to the database. */
    private final Map<JobKey, Report> reports = new HashMap<>();

    private final ReleaseDelay releaseDelay;
    private final ReleaseSize size;

    private volatile boolean exist;
    private boolean checkNew;
    private long checkedNanos = System.nanoTime() - PAUSE;
    private boolean stopped;
    private volatile boolean working;
    private boolean hasSwept;
    private long last;
    private long sweeps;
    private long seenNanos = System.nanoTime();
    private long checks;
    private long sweptNanos = System.nanoTime() - SWEEP;
    /** The start of the last sweep, because a sweep may miss jobs that are blocked during it. */
    private long sweepBegunNanos;

    /**
     * @param worker the worker to which this part belongs
     * @param host the services of the worker
     * @param concurrencyKeys releases jobs
     */
    public KeyKeeper(WorkerContext worker, WorkerHost host, ConcurrencyKeys concurrencyKeys) {
        this.worker = worker.name();
        this.queues = worker.queues();
        this.host = host;
        this.concurrencyKeys = concurrencyKeys;
        // If the database releases keys while it records other jobs, a delay would not merge releases.
        this.releaseDelay = new ReleaseDelay(concurrencyKeys.areFasterInParallel() ? () -> 0 : host::finishingSoon);
        this.size = new ReleaseSize(concurrencyKeys.maxKeys());
        this.laterTry = new LaterTry(worker.name(), host, LOG);
        this.keyReleaser = new KeyReleaser(concurrencyKeys, host, this::released, this::retryLater);
    }

    @Override
    public String name() {
        return "pawl-keys";
    }

    @Override
    public void read(JobStore.Settings settings) {
        exist(settings.keyed());
    }

    /** The first keyed jobs are blocked, so no claim finds them: only the settings report them. */
    @Override
    public boolean wantsSettings() {
        return !exist;
    }

    @Override
    public void ran(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            String reason = ErrorText.clean(unavailable.reason());
            job.key().ifPresent(key -> unavailable(job.queue(), key, unavailable.delay(), reason));
        }
    }

    /** Schedules all keys at once, so that one transaction releases them. */
    @Override
    public void recorded(List<Job> jobs) {
        Set<JobKey> keys = new HashSet<>();
        int keyed = 0;
        for (Job job : jobs) {
            String key = job.key().orElse(null);
            if (key != null) {
                keys.add(new JobKey(job.queue(), key));
                keyed++;
            }
        }
        if (!keys.isEmpty()) {
            ended(keys, keyed);
        }
    }

    /** Sets whether there are keyed jobs at all. */
    void exist(boolean any) {
        lock.lock();
        try {
            long now = System.nanoTime();
            seenNanos = any ? now : seenNanos;
            boolean remembered = any || (exist && now - seenNanos < REMEMBERED);
            if (remembered != exist) {
                exist = remembered;
                checkNew = remembered;
                news.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reports that jobs of these keys have finished or failed. */
    void ended(Collection<JobKey> keys, int jobs) {
        lock.lock();
        try {
            exist = true;
            long now = System.nanoTime();
            seenNanos = now;
            keys.forEach(key -> due.remember(key, now));
            releaseDelay.ended(jobs, now);
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes a job's report that a resource of its key is unavailable. */
    void unavailable(String queue, String key, Duration wait, String reason) {
        lock.lock();
        try {
            reports.putIfAbsent(new JobKey(queue, key), new Report(wait, reason));
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void claims() {
        if (!exist) { // read without the lock, because every claim calls this; the sweep covers a missed update
            return;
        }
        lock.lock();
        try {
            checkNew = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        while (!isStopped()) {
            try {
                Work work = next();
                if (work != null) {
                    handleUnlessSuspended(work);
                    laterTry.reset();
                }
            } catch (InterruptedException e) {
                LOG.debug("the keys thread was interrupted, and goes on", e); // ends when it is stopped
            } catch (SQLException | RuntimeException e) {
                if (!isStopped()) {
                    laterTry.waitOut("release jobs with keys", e);
                }
            }
        }
        keyReleaser.end();
    }

    /** Work to do. */
    private record Work(Map<JobKey, Report> reports, List<JobKey> keys, boolean checkNew, boolean sweep) {}

    /** How long, and why, a key is to be paused. */
    private record Report(Duration length, String reason) {}

    /** Waits for work; null when it is stopped. */
    private @Nullable Work next() throws InterruptedException {
        lock.lock();
        try {
            working = false;
            while (!stopped) {
                long now = System.nanoTime();
                long untilNext = due.untilNext(now);
                long gather = untilNext > 0 ? 0 : releaseDelay.remaining(now);
                List<JobKey> taken = gather > 0 ? List.of() : due.take(now, size.keys());
                long wait = gather > 0
                        ? gather
                        : Math.min(untilNext, exist ? Math.max(0, sweptNanos + SWEEP - now) : Long.MAX_VALUE);
                boolean sweep = exist && sweptNanos + SWEEP - now <= 0;
                boolean checks = checkNew && now - checkedNanos >= PAUSE;
                if (checkNew && !checks) {
                    wait = Math.min(wait, checkedNanos + PAUSE - now);
                }
                if (!taken.isEmpty() || checks || sweep || !reports.isEmpty()) {
                    Map<JobKey, Report> written = Map.copyOf(reports);
                    reports.clear();
                    if (!taken.isEmpty()) {
                        releaseDelay.reset();
                    }
                    if (checks) {
                        checkNew = false;
                        checkedNanos = now;
                    }
                    working = true;
                    return new Work(written, taken, checks, sweep);
                }
                if (wait == Long.MAX_VALUE) {
                    news.await();
                } else {
                    long unused = news.awaitNanos(wait);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void handleUnlessSuspended(Work work) throws SQLException {
        host.whileAwake(() -> handle(work));
    }

    /** Writes the reports of jobs first, because a release of their key might start the next job. */
    private void handle(Work work) throws SQLException {
        writeReports(work);
        release(work.keys);
        if (work.sweep && !hasSwept) {
            last = concurrencyKeys.newestBlocked(); // the sweep covers older jobs
        }
        if (work.checkNew) {
            ConcurrencyKeys.Blocked blocked;
            do {
                blocked = concurrencyKeys.blockedAfter(queues, last);
                last = blocked.last();
                release(new ArrayList<>(blocked.keys()));
            } while (!blocked.isAll() && !isStopped());
            checked();
        }
        if (work.sweep) {
            long begun = System.nanoTime();
            for (String queue : queues) {
                sweep(queue);
                if (sweeps % SWEEPS_UNTIL_EMPTY == 0) {
                    concurrencyKeys.forgetEmpty(queue);
                }
            }
            sweeps++;
            swept(begun);
        }
    }

    private void writeReports(Work work) throws SQLException {
        Map<JobKey, Report> unwritten = new HashMap<>(work.reports);
        try {
            for (Map.Entry<JobKey, Report> each : work.reports.entrySet()) {
                Report report = each.getValue();
                concurrencyKeys.unavailable(each.getKey(), report.length, report.reason);
                LOG.warn(
                        "{}: jobs of queue {} with the key {} are paused for {}: {}",
                        worker,
                        each.getKey().queue(),
                        each.getKey().key(),
                        HumanDuration.of(report.length),
                        report.reason);
                unwritten.remove(each.getKey());
            }
        } catch (SQLException | RuntimeException e) {
            restoreReports(unwritten);
            retryLater(work.keys);
            throw e;
        }
        release(List.copyOf(work.reports.keySet()));
    }

    /** Restores the reports, unless there are newer ones. */
    private void restoreReports(Map<JobKey, Report> unwritten) {
        lock.lock();
        try {
            unwritten.forEach(reports::putIfAbsent);
        } finally {
            lock.unlock();
        }
    }

    private void checked() {
        lock.lock();
        try {
            checks++;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long checks() {
        lock.lock();
        try {
            return exist ? checks : Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    private void swept(long begun) {
        lock.lock();
        try {
            sweptNanos = System.nanoTime();
            sweepBegunNanos = begun;
            hasSwept = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isBusy() {
        lock.lock();
        try {
            long now = System.nanoTime();
            return !reports.isEmpty() || (exist && (!hasSwept || working || due.untilNext(now) == 0));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isReleasing() {
        return working;
    }

    @Override
    public Set<String> watched() {
        return exist ? queues : Set.of();
    }

    @Override
    public boolean isSettledSince(long nanos) {
        lock.lock();
        try {
            long now = System.nanoTime();
            return reports.isEmpty()
                    && (!exist
                            || (!checkNew
                                    && !working
                                    && hasSwept
                                    && sweepBegunNanos - nanos > 0
                                    && due.untilNext(now) > SOON));
        } finally {
            lock.unlock();
        }
    }

    private List<JobKey> due() {
        lock.lock();
        try {
            releaseDelay.reset();
            return due.take(System.nanoTime(), size.keys());
        } finally {
            lock.unlock();
        }
    }

    private void sweep(String queue) throws SQLException {
        release(concurrencyKeys.ended(queue));
        @Nullable String after = "";
        while (after != null && !isStopped()) {
            ConcurrencyKeys.Ready ready = concurrencyKeys.ready(queue, after);
            release(ready.keys());
            release(due()); // keys whose jobs have finished during the sweep do not wait for its end
            after = ready.last();
        }
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    private void release(List<JobKey> keys) throws SQLException {
        int to;
        for (int from = 0; from < keys.size(); from = to) {
            to = Math.min(keys.size(), from + size.keys());
            keyReleaser.release(keys.subList(from, to));
        }
    }

    private void released(ConcurrencyKeys.Released done, int keys) {
        lock.lock();
        try {
            size.taken(keys, (int)
                    done.again().values().stream().filter(Duration::isZero).count());
            long now = System.nanoTime();
            done.again().forEach((key, wait) -> {
                // Keys that are due later are left to a sweep, because their nanoseconds may overflow a long.
                if (wait.compareTo(NEXT_SWEEP) <= 0) {
                    due.remember(key, now + wait.toNanos() + 1);
                }
            });
        } finally {
            lock.unlock();
        }
    }

    private void retryLater(List<JobKey> failed) {
        lock.lock();
        try {
            long later = System.nanoTime() + PAUSE;
            failed.forEach(key -> due.remember(key, later));
        } finally {
            lock.unlock();
        }
    }
}
