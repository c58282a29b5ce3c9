package dev.pawl.internal.engine;

import dev.pawl.api.DatabaseException;
import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.RunMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims batches for the free capacity of the worker. While batches are full, the next one is claimed at once, otherwise on a notification
 * or after the poll interval. Runs in one thread. Other threads of the worker claim only through {@link ReleaseClaims}.
 */
final class Fetcher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Minimum interval between early readings of the settings after notifications. */
    private static final long KEY_CHECK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int MAX_ERRORS = 8;
    /** Minimum wait for jobs while a release is in progress. Short, because jobs of other workers may come without a notification. */
    private static final long RELEASE_WAIT = TimeUnit.MILLISECONDS.toNanos(100);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final LongSupplier workerId;
    private final Capacity capacity;
    private final MemoryGuard heap;
    private final Buffer buffer;
    private final Prefetch prefetch;
    private final Admission admission;
    private final AddedParts added;
    private final HeldJobs heldJobs;
    private final Releaser releaser;
    private final FetchSignal signal;
    private final IdleSuspend suspend;
    private final ClaimReceiver receiver;
    private final ReleaseClaims releaseClaims;
    private final DatabaseHealth health;
    private final @Nullable DueQueues due;
    private final Backoff poll;
    private final FailurePauses pauses;
    private final Backoff shortage = new Backoff(100, 1_000);

    private final AtomicLong emptyRounds = new AtomicLong();
    private int errors;
    /** Number of claims sent. */
    private long claims;
    /** Number of claims that the database has answered. */
    private long answers;

    private @Nullable Long outageNanos;
    private long keyCheckNanos = System.nanoTime() - KEY_CHECK_INTERVAL;
    private volatile boolean stopping;
    private volatile boolean claimsPaused;

    /**
     * What may keep a worker from claiming.
     *
     * @param heap a full heap
     * @param suspend a suspension of the idle worker
     * @param health a database that cannot be reached
     */
    record Guards(MemoryGuard heap, IdleSuspend suspend, DatabaseHealth health) {}

    Fetcher(
            Claiming claiming,
            ClaimReceiver receiver,
            ReleaseClaims releaseClaims,
            AddedParts added,
            Guards guards,
            @Nullable DueQueues due) {
        config = claiming.config();
        strategies = claiming.strategies();
        workerId = claiming.workerId();
        capacity = claiming.capacity();
        buffer = claiming.buffer();
        prefetch = claiming.prefetch();
        admission = claiming.admission();
        heldJobs = claiming.heldJobs();
        releaser = claiming.releaser();
        signal = claiming.signal();
        this.receiver = receiver;
        this.releaseClaims = releaseClaims;
        this.added = added;
        heap = guards.heap;
        suspend = guards.suspend;
        health = guards.health;
        this.due = due;
        poll = new Backoff(5, config.pollInterval().toMillis());
        pauses = strategies.newFailurePauses();
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                step();
            } catch (InterruptedException e) {
                LOG.debug("the fetcher was interrupted, and goes on", e); // ends when it is stopped
            }
        }
    }

    private void step() throws InterruptedException {
        signal.clear();
        suspend.beforeRound(heldJobs.isEmpty());
        Buffer.Level level = buffer.levelOfRound();
        boolean paused = claimsPaused || heap.mustPause(heldJobs.isEmpty(), System.nanoTime());
        if (paused) {
            releaseClaims.claimed(false, System.nanoTime());
        } else if (level.idle() > 0) {
            admission.idle();
        }
        int wanted = paused ? 0 : releaseClaims.besideReleases(prefetch.wanted(level, System.nanoTime()));
        if (wanted == 0) {
            if (paused || level.idle() > 0) {
                buffer.roundEnded();
            }
            signal.awaitCapacity(CHECK_NANOS);
            releaseStale();
        } else {
            fetch(wanted, level);
        }
    }

    /** Releases waiting jobs if handlers have become slow, because other workers may be idle. */
    private void releaseStale() {
        if (prefetch.isTooLong(buffer.level(), System.nanoTime())) {
            releaser.unstarted(buffer.emptyBehind());
        }
    }

    private void fetch(int wanted, Buffer.Level level) throws InterruptedException {
        Round round = new Round(wanted, level);
        long sent = claims;
        long answered = answers;
        try {
            long begun = run(round);
            releaseClaims.claimed(round.claimed < wanted && !round.cutShort && !round.limited, begun);
            if (claims > sent) {
                buffer.database(true);
            }
            readSettingsEarly(round);
            logRecovery();
            pauses.reset();
            shortage.reset();
            errors = 0;
        } catch (SQLException | RuntimeException e) {
            if (isOutOfMemory(e)) {
                prefetch.tooMuch();
            }
            buffer.database(answers > answered && !isTransient(e));
            waitOut(pauses.next(e), e);
            return;
        } catch (Error e) { // a shortage in the JVM: the next claims are smaller; MAX_ERRORS in a row stop the worker
            prefetch.tooMuch();
            if (++errors >= MAX_ERRORS) {
                throw e;
            }
            waitOut(shortage.next(), e);
            return;
        }
        if (round.claimed > 0) {
            poll.reset();
            suspend.active();
        }
        if (round.cutShort) {
            signal.awaitCapacity(CHECK_NANOS);
        } else if (round.claimed < wanted) {
            if (round.claimed == 0 && !round.limited) {
                emptyRounds.incrementAndGet();
            }
            if (round.claimed == 0 && hasSuspended()) {
                poll.reset();
            } else if (signal.awaitJobs(untilPoll()) != FetchSignal.News.NONE) {
                poll.reset();
                suspend.active();
            }
        }
    }

    /** {@return when the claims of the round began} */
    private long run(Round round) throws SQLException {
        try {
            strategies.refresh();
            added.claims();
            long begun = System.nanoTime();
            round.run();
            return begun;
        } finally {
            releaseClaims.roundEnded(); // the jobs that the round has claimed are held now
            buffer.roundEnded();
        }
    }

    /**
     * Reads the settings early if a notification has arrived but the round was empty. The notification may concern the first work of a
     * feature's part, which learns of its work from the settings.
     */
    private void readSettingsEarly(Round round) throws SQLException {
        long now = System.nanoTime();
        boolean notified = signal.notifiedNanos() - keyCheckNanos > 0;
        if (notified && round.claimed == 0 && added.wantSettings() && now - keyCheckNanos >= KEY_CHECK_INTERVAL) {
            keyCheckNanos = now;
            strategies.readAgain();
        }
    }

    /** A release in progress ends with a notification; a claim before that is likely to be empty. */
    private long untilPoll() {
        long wait = poll.next();
        return added.areReleasing() ? Math.max(wait, RELEASE_WAIT) : wait;
    }

    private boolean hasSuspended() throws InterruptedException {
        try {
            return suspend.suspend();
        } catch (SQLException | RuntimeException e) {
            waitOut(pauses.next(e), e);
            return true;
        }
    }

    /** Searches the causes, because drivers may wrap the error. */
    private static boolean isOutOfMemory(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }

    private boolean isTransient(Exception error) {
        return error instanceof SQLException sql
                ? strategies.isTransient(sql)
                : error instanceof DatabaseException failed && failed.isTransient();
    }

    private void logRecovery() {
        Long since = outageNanos;
        if (since != null) {
            outageNanos = null;
            LOG.info(
                    "{}: claims jobs again, after {}",
                    config.name(),
                    HumanDuration.of(Duration.ofNanos(System.nanoTime() - since)));
        }
    }

    private void waitOut(long wait, Throwable e) throws InterruptedException {
        if (!health.failed("claim jobs", e)) {
            if (pauses.isWarningDue()) {
                if (outageNanos == null) {
                    outageNanos = System.nanoTime();
                }
                LOG.warn(
                        "{}: cannot claim jobs, trying again in {} ms: {}",
                        config.name(),
                        TimeUnit.NANOSECONDS.toMillis(wait),
                        ErrorText.firstLine(e));
            }
            LOG.debug("cannot claim jobs", e);
        }
        signal.pause(wait);
    }

    /**
     * One round of claims. First each queue gets its share. Afterwards the capacity that is left goes to the queues that filled their
     * share.
     */
    private final class Round {
        private final int wanted;
        /** Level of the buffer before the first claim. */
        private final Buffer.Level before;

        private final Set<String> empty = new HashSet<>();
        private int claimed;
        private boolean cutShort;
        /** Whether a limit reduced the claim, so that an empty result does not prove an empty queue. */
        private boolean limited;

        private @Nullable Exception broken;

        Round(int wanted, Buffer.Level before) {
            this.wanted = wanted;
            this.before = before;
        }

        void run() throws SQLException {
            List<QueueOrder.Share> shares = config.order().shares(wanted, () -> due == null ? List.of() : due.next());
            limited |= due != null && due.hasLeftOut();
            for (int pass = 1; pass <= 2 && claimed < wanted; pass++) {
                for (QueueOrder.Share share : shares) {
                    int limit = pass == 1 ? Math.min(share.limit(), wanted - claimed) : wanted - claimed;
                    if (limit > 0 && !empty.contains(share.queue()) && !stopping) {
                        claimOrRemember(share.queue(), limit);
                    }
                }
            }
            if (broken instanceof SQLException e) {
                throw e;
            } else if (broken instanceof RuntimeException e) {
                throw e;
            }
        }

        /** A failure of one queue must not keep the worker from the others. */
        private void claimOrRemember(String queue, int limit) throws SQLException {
            try {
                int before = claimed;
                long sent = claims;
                claim(queue, limit);
                if (due != null && claims > sent) { // an exhausted limit sends no claim
                    due.claimed(queue, claimed > before);
                }
            } catch (SQLException | RuntimeException e) {
                if (e instanceof SQLException sql && strategies.isTransient(sql)) {
                    throw e;
                }
                empty.add(queue);
                broken = e;
            }
        }

        /**
         * First claims the jobs that will start within a moment. The claim itself marks them as started, so their start need not be logged.
         * If that claim is full, a second claim prefetches more jobs.
         */
        private void claim(String queue, int limit) throws SQLException {
            ClaimStrategy strategy = strategies.of(queue);
            if (!admission.none()) {
                claimLimited(strategy, queue, limit);
                return;
            }
            boolean inTransaction = strategy.mode() == RunMode.IN_TRANSACTION;
            int soon = inTransaction ? Math.min(limit, idle()) : soon(limit, 0);
            int got = soon > 0 ? claim(strategy, queue, soon, false) : 0;
            boolean more = got >= soon && soon < limit;
            if (more && inTransaction) { // the transaction of the run is the claim, so nothing is prefetched
                cutShort = true;
            } else if (more) {
                got += claim(strategy, queue, limit - soon, true);
            }
            claimed += got;
            if (got < limit) {
                empty.add(queue);
            }
        }

        private int claim(ClaimStrategy strategy, String queue, int limit, boolean waits) throws SQLException {
            return Fetcher.this.claim(
                    strategy, queue, new Admission.Part(config.handlers().openKinds(), limit), waits);
        }

        /** Claims as many jobs as the limits allow. A claim does not mark its jobs as started if a limit may delay some of them. */
        private void claimLimited(ClaimStrategy strategy, String queue, int limit) throws SQLException {
            boolean inTransaction = strategy.mode() == RunMode.IN_TRANSACTION;
            int most = inTransaction ? Math.min(limit, idle()) : limit;
            int ahead = inTransaction ? 0 : prefetch.ahead(System.nanoTime());
            Admission.Claims claims = admission.plan(queue, config.handlers().openKinds(), most, ahead);
            limited |= !claims.isAll();
            boolean rated = admission.anyRated();
            int got = 0;
            for (Admission.Part part : claims.parts()) {
                int some = Math.min(part.limit(), most - got);
                if (some > 0) {
                    boolean waits = !inTransaction && (rated || soon(some, got) < some);
                    int of = Fetcher.this.claim(strategy, queue, part.to(some), waits);
                    admission.claimed(part, of >= some);
                    limited |= of >= some;
                    got += of;
                }
            }
            claimed += got;
            empty.add(queue); // claimed up to its limits
        }

        private int soon(int limit, int got) {
            return prefetch.isSoon(level(got), limit, System.nanoTime()) ? limit : Math.min(limit, idle());
        }

        private int idle() {
            Buffer.Level level = level(0);
            return prefetch.jobs(level.idle() - level.buffered());
        }

        /** Reads the buffer only after a claim, because reading takes the lock that the handlers take for each job. */
        private Buffer.Level level(int got) {
            return claimed + got == 0 ? before : buffer.level();
        }
    }

    private int claim(ClaimStrategy strategy, String queue, Admission.Part part, boolean waits) throws SQLException {
        boolean ahead = waits || capacity.anyWait() || (!part.ofRows() && mayLeaseOthers(strategy, part.kinds()));
        if (part.kinds().isEmpty()) {
            return 0;
        }
        long sent = System.nanoTime();
        long lost = strategy.lost();
        LeaseTerms terms = new LeaseTerms(strategy.lease(config.lease()));
        ClaimRequest request =
                new ClaimRequest(queue, part.kinds(), part.limit(), workerId.getAsLong(), terms.length(), ahead);
        claims++;
        ClaimRequest wanted = part.ofRows() ? request.rowsOnly() : request;
        AtomicInteger first = new AtomicInteger();
        List<Grant> grants = capacity.takesSeveral()
                ? strategy.claim(wanted) // all at once, so that the first call can be filled
                : strategy.claim(wanted, some -> {
                    first.addAndGet(some.size());
                    receiver.take(strategy, some, ahead ? 0 : some.size(), sent, terms);
                });
        answers++;
        int got = first.get() + grants.size();
        boolean beaten = strategy.lost() > lost;
        if (beaten || got > 0) { // the duration of a claim that finds nothing is irrelevant
            prefetch.claimTook(System.nanoTime() - sent, !beaten && got < part.limit());
        }
        if (got > 0) {
            health.wrote(sent);
        }
        int soon = ahead ? 0 : grants.size();
        if (capacity.takesSeveral() && grants.size() == part.limit() && strategy.mode() != RunMode.IN_TRANSACTION) {
            boolean fillsAhead = ahead
                    || mayLeaseOthers(strategy, List.of(grants.get(0).job().kind()));
            grants = filled(strategy, fillsAhead ? request.claimedAhead() : request, grants);
            got = grants.size();
            soon = fillsAhead ? soon : got;
        }
        receiver.take(strategy, grants, soon, sent, terms);
        return got;
    }

    /**
     * {@return whether a claim for these kinds may also lease jobs of kinds that this worker handles, but does not claim now} Then only
     * logged starts may count, because the others do not start.
     */
    private boolean mayLeaseOthers(ClaimStrategy strategy, List<String> kinds) {
        return strategy.leasesOtherKinds()
                && kinds.size() < config.handlers().kinds().size();
    }

    /**
     * {@return the grants, and further ones that fill the first call of each kind whose handler takes several jobs} The order of the
     * first claim decides which jobs go first; the jobs that fill a call overtake those of other kinds.
     */
    private List<Grant> filled(ClaimStrategy strategy, ClaimRequest request, List<Grant> grants) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Grant grant : grants) {
            if (capacity.takesSeveral(grant.job().kind())) {
                counts.merge(grant.job().kind(), 1, Integer::sum);
            }
        }
        List<Grant> all = new ArrayList<>(grants);
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            String kind = each.getKey();
            int got = each.getValue();
            int missing = Math.min(config.batch(), capacity.together(kind) - got - buffer.of(kind));
            if (missing > 0) {
                List<Admission.Part> parts = admission.none()
                        ? List.of(new Admission.Part(List.of(kind), got + missing))
                        : admission
                                .plan(request.queue(), List.of(kind), got + missing, 0)
                                .parts();
                for (Admission.Part part : parts.subList(0, Math.min(1, parts.size()))) {
                    if (part.limit() > got) {
                        ClaimRequest more = request.only(kind, part.limit() - got);
                        all.addAll(claimed(strategy, part.ofRows() ? more.rowsOnly() : more));
                    }
                }
            }
        }
        return all;
    }

    /** A failure must not lose the grants of the first claim; if it lasts, the next claim reports it. */
    private static List<Grant> claimed(ClaimStrategy strategy, ClaimRequest request) {
        try {
            return strategy.claim(request);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("nothing more was claimed to fill a chunk", e);
            return List.of();
        }
    }

    /** {@return the number of empty rounds} */
    long emptyRounds() {
        return emptyRounds.get();
    }

    /** Stops or resumes claiming. */
    void pauseClaims(boolean wanted) {
        claimsPaused = wanted;
        releaseClaims.pause(wanted || stopping);
        signal.capacityFreed();
    }

    boolean areClaimsPaused() {
        return claimsPaused;
    }

    /** Stops claiming for good. */
    void stop() {
        stopping = true;
        releaseClaims.pause(true);
        signal.close();
    }
}
