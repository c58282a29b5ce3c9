package dev.pawl.internal.engine;

import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.KeyTurns.JobKey;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets jobs with keys go when it is their turn: as soon as one has ended here, when new ones may have come, when one is due;
 * and, for what a crash or another worker has missed, it looks through all keys every few seconds. Where there are no such
 * jobs it sleeps. One thread.
 */
final class KeyKeeper implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.key");
    private static final Duration NEXT_SWEEP = Duration.ofSeconds(5);
    private static final long SWEEP = NEXT_SWEEP.toNanos();
    private static final long SOON = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    /** A look costs little, and the first job after a pause should not wait. */
    private static final long REMEMBERED = TimeUnit.MINUTES.toNanos(10);

    /** Every five minutes it forgets keys that nobody has any more. */
    private static final int SWEEPS_UNTIL_EMPTY = 60;

    private final String worker;
    private final KeyTurns turns;
    private final Set<String> queues;
    private final IdleGate idleGate;
    private final TurnTaker taker;
    private final Backoff outage = new Backoff(100, 2_000);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final DueKeys due = new DueKeys();
    /** What jobs have found out, and nobody has been told yet. */
    private final Map<JobKey, Report> reports = new HashMap<>();

    private final Gathering gathering;
    private final TurnSize size;
    private final DatabaseHealth health;

    private volatile boolean exist;
    private boolean look;
    private long lookedNanos = System.nanoTime() - PAUSE;
    private boolean stopped;
    private volatile boolean working;
    private boolean hasSwept;
    private long last;
    private long sweeps;
    private long seenNanos = System.nanoTime();
    private long looks;
    private long sweptNanos = System.nanoTime() - SWEEP;
    /** What is parked while it sweeps may be where it has been already. */
    private long sweepBegunNanos;

    /**
     * @param coming how many jobs with keys will have ended here in a moment
     */
    KeyKeeper(
            String worker,
            KeyTurns turns,
            Set<String> queues,
            WakeHub wakes,
            IdleGate idleGate,
            IntSupplier coming,
            DatabaseHealth health) {
        this.health = health;
        this.gathering = new Gathering(coming);
        this.size = new TurnSize(turns.most());
        this.worker = worker;
        this.turns = turns;
        this.queues = queues;
        this.idleGate = idleGate;
        this.taker = new TurnTaker(turns, wakes, this::again, this::againLater);
    }

    /** {@return who takes its turns} */
    TurnTaker taker() {
        return taker;
    }

    /** Whether there are jobs with keys at all. */
    void exist(boolean any) {
        lock.lock();
        try {
            long now = System.nanoTime();
            seenNanos = any ? now : seenNanos;
            boolean remembered = any || (exist && now - seenNanos < REMEMBERED);
            if (remembered != exist) {
                exist = remembered;
                look = remembered;
                news.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether it knows of jobs with keys} */
    boolean exist() {
        return exist;
    }

    /** So many jobs of these keys have ended, or have failed. */
    void ended(Collection<JobKey> keys, int jobs) {
        lock.lock();
        try {
            exist = true;
            long now = System.nanoTime();
            seenNanos = now;
            keys.forEach(key -> due.remember(key, now));
            gathering.ended(jobs, now);
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A job has found out that what the jobs of its key need is not available. */
    void unavailable(String queue, String key, Duration wait, String reason) {
        lock.lock();
        try {
            reports.putIfAbsent(new JobKey(queue, key), new Report(wait, reason));
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** There may be new jobs. */
    void look() {
        if (!exist) { // read without the lock: it is on the path of every claim, and the sweep makes up for it
            return;
        }
        lock.lock();
        try {
            look = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void stop() {
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
                    outage.reset();
                }
            } catch (InterruptedException e) {
                LOG.debug("the keeper of keys was interrupted, and goes on", e); // it ends when it is stopped
            } catch (SQLException | RuntimeException e) {
                waitOut(e);
            }
        }
        taker.end();
    }

    /** What to do. */
    private record Work(Map<JobKey, Report> reports, List<JobKey> keys, boolean look, boolean sweep) {}

    /** For how long the jobs of a key are to be held back, and why. */
    private record Report(Duration length, String reason) {}

    /** Waits for something to do; null when it is stopped. */
    private @Nullable Work next() throws InterruptedException {
        lock.lock();
        try {
            working = false;
            while (!stopped) {
                long now = System.nanoTime();
                long untilNext = due.untilNext(now);
                long gather = untilNext > 0 ? 0 : gathering.remaining(now);
                List<JobKey> taken = gather > 0 ? List.of() : due.take(now, size.keys());
                long wait = gather > 0
                        ? gather
                        : Math.min(untilNext, exist ? Math.max(0, sweptNanos + SWEEP - now) : Long.MAX_VALUE);
                boolean sweep = exist && sweptNanos + SWEEP - now <= 0;
                boolean looks = look && now - lookedNanos >= PAUSE;
                if (look && !looks) {
                    wait = Math.min(wait, lookedNanos + PAUSE - now);
                }
                if (!taken.isEmpty() || looks || sweep || !reports.isEmpty()) {
                    Map<JobKey, Report> told = Map.copyOf(reports);
                    reports.clear();
                    if (!taken.isEmpty()) {
                        gathering.over();
                    }
                    if (looks) {
                        look = false;
                        lookedNanos = now;
                    }
                    working = true;
                    return new Work(told, taken, looks, sweep);
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
        idleGate.enterWhenOpen();
        try {
            see(work);
        } finally {
            idleGate.leave();
        }
    }

    /** What jobs have found out goes first: a turn of their key might let the next one go. */
    private void see(Work work) throws SQLException {
        tell(work);
        letGo(work.keys);
        if (work.sweep && !hasSwept) {
            last = turns.newestParked(); // the sweep finds what was there before
        }
        if (work.look) {
            KeyTurns.Parked parked;
            do {
                parked = turns.parkedAfter(queues, last);
                last = parked.last();
                letGo(new ArrayList<>(parked.keys()));
            } while (!parked.isAll() && !isStopped());
            looked();
        }
        if (work.sweep) {
            long begun = System.nanoTime();
            for (String queue : queues) {
                sweep(queue);
                if (sweeps % SWEEPS_UNTIL_EMPTY == 0) {
                    turns.forgetEmpty(queue);
                }
            }
            sweeps++;
            swept(begun);
        }
    }

    private void tell(Work work) throws SQLException {
        Map<JobKey, Report> untold = new HashMap<>(work.reports);
        try {
            for (Map.Entry<JobKey, Report> each : work.reports.entrySet()) {
                Report report = each.getValue();
                turns.unavailable(each.getKey(), report.length, report.reason);
                LOG.warn(
                        "{}: jobs of queue {} with the key {} are held back for {}: {}",
                        worker,
                        each.getKey().queue(),
                        each.getKey().key(),
                        Spoken.of(report.length),
                        report.reason);
                untold.remove(each.getKey());
            }
        } catch (SQLException | RuntimeException e) {
            untoldAgain(untold);
            againLater(work.keys);
            throw e;
        }
        letGo(List.copyOf(work.reports.keySet()));
    }

    /** Unless there is news of the same. */
    private void untoldAgain(Map<JobKey, Report> untold) {
        lock.lock();
        try {
            untold.forEach(reports::putIfAbsent);
        } finally {
            lock.unlock();
        }
    }

    private void looked() {
        lock.lock();
        try {
            looks++;
        } finally {
            lock.unlock();
        }
    }

    /** {@return how often it has looked for new jobs; without jobs with keys it need not, and the number is as large as can be} */
    long looks() {
        lock.lock();
        try {
            return exist ? looks : Long.MAX_VALUE;
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

    /** {@return whether it may be about to let jobs go: it has not looked at all, or it is the turn of a key now} */
    boolean isBusy() {
        lock.lock();
        try {
            long now = System.nanoTime();
            return !reports.isEmpty() || (exist && (!hasSwept || working || due.untilNext(now) == 0));
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether it is at it, and will tell if there is more to claim} */
    boolean isLettingGo() {
        return working;
    }

    /** {@return the queues whose parked jobs concern it; none if it knows of no jobs with keys} */
    Set<String> watched() {
        return exist ? queues : Set.of();
    }

    /** {@return whether there is nothing to let go for a while: it has begun to look through all keys since that moment} */
    boolean isSettledSince(long nanos) {
        lock.lock();
        try {
            long now = System.nanoTime();
            return reports.isEmpty()
                    && (!exist
                            || (!look
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
            gathering.over();
            return due.take(System.nanoTime(), size.keys());
        } finally {
            lock.unlock();
        }
    }

    private void sweep(String queue) throws SQLException {
        letGo(turns.ended(queue));
        @Nullable String after = "";
        while (after != null && !isStopped()) {
            KeyTurns.Ready ready = turns.ready(queue, after);
            letGo(ready.keys());
            letGo(due()); // what has ended meanwhile does not wait for the end of the sweep
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

    private void letGo(List<JobKey> keys) throws SQLException {
        int to;
        for (int from = 0; from < keys.size(); from = to) {
            to = Math.min(keys.size(), from + size.keys());
            taker.take(keys.subList(from, to));
        }
    }

    private void again(KeyTurns.LetGo done, int keys) {
        lock.lock();
        try {
            size.taken(keys, (int)
                    done.again().values().stream().filter(Duration::isZero).count());
            long now = System.nanoTime();
            done.again().forEach((key, wait) -> {
                // What is due later is found by a sweep; it may be so far away that no long counts its nanoseconds.
                if (wait.compareTo(NEXT_SWEEP) <= 0) {
                    due.remember(key, now + wait.toNanos() + 1);
                }
            });
        } finally {
            lock.unlock();
        }
    }

    private void againLater(List<JobKey> failed) {
        lock.lock();
        try {
            long later = System.nanoTime() + PAUSE;
            failed.forEach(key -> due.remember(key, later));
        } finally {
            lock.unlock();
        }
    }

    private void waitOut(Exception e) {
        if (isStopped()) {
            return;
        }
        long wait = outage.next();
        if (!health.failed("let jobs with keys go", e)) {
            LOG.warn(
                    "{}: cannot let jobs with keys go, trying again in {} ms: {}",
                    worker,
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(e));
            LOG.debug("cannot let jobs with keys go", e);
        }
        try {
            health.await(wait);
        } catch (InterruptedException somebody) {
            LOG.debug("interrupted, so trying again at once", somebody);
        }
    }
}
