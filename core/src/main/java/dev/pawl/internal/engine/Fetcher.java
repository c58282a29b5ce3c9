package dev.pawl.internal.engine;

import dev.pawl.internal.quota.LocalLimits;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims batches for the free capacity of the worker: at once while batches come back full, otherwise when there is
 * news of jobs or, at the latest, after the poll interval. One thread, the only one of its worker that claims.
 */
final class Fetcher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
    private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(200);
    /** So often at most it looks whether the jobs that it was told of have keys. */
    private static final long KEY_LOOK = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int MOST_ERRORS = 8;
    /** No longer, because nobody may tell of the jobs of others. */
    private static final long LET_GO = TimeUnit.MILLISECONDS.toNanos(100);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final LongSupplier workerId;
    private final Places places;
    private final HeapMark heap;
    private final Buffer buffer;
    private final Prefetch prefetch;
    private final LocalLimits localLimits;
    private final KeyKeeper keys;
    private final HeldJobs heldJobs;
    private final Releaser releaser;
    private final FetchSignal signal;
    private final IdleSuspend suspend;
    private final Intake intake;
    private final TurnClaims turnClaims;
    private final DatabaseHealth health;
    private final @Nullable DueQueues due;
    private final Backoff poll;
    private final Backoff outage = new Backoff(100, 5_000);
    private final Backoff shortage = new Backoff(100, 1_000);
    private final AtomicLong emptyRounds = new AtomicLong();
    private int errors;
    /** Asked for so far. */
    private long claims;

    private @Nullable Long outageNanos;
    private long keyLookNanos = System.nanoTime() - KEY_LOOK;
    private volatile boolean stopping;
    private volatile boolean quiet;

    Fetcher(
            WorkerConfig config,
            Strategies strategies,
            LongSupplier workerId,
            Places places,
            HeapMark heap,
            Buffer buffer,
            Prefetch prefetch,
            LocalLimits localLimits,
            KeyKeeper keys,
            HeldJobs heldJobs,
            Releaser releaser,
            FetchSignal signal,
            IdleSuspend suspend,
            Intake intake,
            TurnClaims turnClaims,
            DatabaseHealth health,
            @Nullable DueQueues due) {
        this.health = health;
        this.due = due;
        this.intake = intake;
        this.turnClaims = turnClaims;
        this.config = config;
        this.strategies = strategies;
        this.workerId = workerId;
        this.places = places;
        this.heap = heap;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.localLimits = localLimits;
        this.keys = keys;
        this.heldJobs = heldJobs;
        this.releaser = releaser;
        this.signal = signal;
        this.suspend = suspend;
        this.poll = new Backoff(5, config.pollInterval().toMillis());
    }

    @Override
    public void run() {
        while (!stopping) {
            try {
                step();
            } catch (InterruptedException e) {
                LOG.debug("the fetcher was interrupted, and goes on", e); // it ends when it is stopped
            }
        }
    }

    private void step() throws InterruptedException {
        signal.clear();
        suspend.beforeRound(heldJobs.isEmpty());
        Buffer.Level level = buffer.level();
        boolean resting = quiet || heap.holdsBack(heldJobs.isEmpty(), System.nanoTime());
        if (level.idle() > 0 && !resting) {
            localLimits.idle();
        }
        int wanted = resting ? 0 : turnClaims.besideTurns(prefetch.wanted(level, System.nanoTime()));
        if (wanted == 0) {
            signal.awaitRoom(LOOK_AGAIN);
            giveBackWhatWaitsTooLong();
        } else {
            fetch(wanted, level);
        }
    }

    /** Quick handlers have become slow, and other workers may be idle. */
    private void giveBackWhatWaitsTooLong() {
        if (prefetch.isTooLong(buffer.level(), System.nanoTime())) {
            releaser.unstarted(buffer.emptyBehind());
        }
    }

    private void fetch(int wanted, Buffer.Level level) throws InterruptedException {
        Round round = new Round(wanted, level);
        try {
            strategies.refresh();
            keys.look();
            long begun = System.nanoTime();
            round.run();
            turnClaims.claimed(round.claimed < wanted && !round.cutShort && !round.heldBack, begun);
            lookForTheFirstKey(round);
            sayIfBack();
            outage.reset();
            shortage.reset();
            errors = 0;
        } catch (SQLException | RuntimeException e) {
            if (isOutOfMemory(e)) {
                prefetch.tooMuch();
            }
            waitOut(outage, e);
            return;
        } catch (Error e) { // the JVM is short of a resource: claim less at a time; if that does not help, the worker
            // stops
            prefetch.tooMuch();
            if (++errors >= MOST_ERRORS) {
                throw e;
            }
            waitOut(shortage, e);
            return;
        }
        if (round.claimed > 0) {
            poll.reset();
            suspend.active();
        }
        if (round.cutShort) {
            signal.awaitRoom(LOOK_AGAIN);
        } else if (round.claimed < wanted) {
            if (round.claimed == 0 && !round.heldBack) {
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

    /**
     * It was told of jobs, and finds none. If it knows of no jobs with keys, these may be the first ones, which are parked: it need not wait
     * for the next reading of the settings to learn of them.
     */
    private void lookForTheFirstKey(Round round) throws SQLException {
        long now = System.nanoTime();
        boolean told = signal.toldNanos() - keyLookNanos > 0;
        if (told && round.claimed == 0 && !keys.exist() && now - keyLookNanos >= KEY_LOOK) {
            keyLookNanos = now;
            strategies.readAgain();
        }
    }

    /** While jobs with keys are being let go, there is news as soon as that is done; until then a claim is likely in vain. */
    private long untilPoll() {
        long wait = poll.next();
        return keys.isLettingGo() ? Math.max(wait, LET_GO) : wait;
    }

    private boolean hasSuspended() throws InterruptedException {
        try {
            return suspend.suspend();
        } catch (SQLException | RuntimeException e) {
            waitOut(outage, e);
            return true;
        }
    }

    /** Drivers may wrap it. */
    private static boolean isOutOfMemory(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }

    private void sayIfBack() {
        Long since = outageNanos;
        if (since != null) {
            outageNanos = null;
            LOG.info(
                    "{}: claims jobs again, after {}",
                    config.name(),
                    Spoken.of(Duration.ofNanos(System.nanoTime() - since)));
        }
    }

    private void waitOut(Backoff backoff, Throwable e) throws InterruptedException {
        long wait = backoff.next();
        if (!health.failed("claim jobs", e)) {
            if (outageNanos == null) {
                outageNanos = System.nanoTime();
            }
            LOG.warn(
                    "{}: cannot claim jobs, trying again in {} ms: {}",
                    config.name(),
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(e));
            LOG.debug("cannot claim jobs", e);
        }
        signal.pause(wait);
    }

    /** Each queue gets its share; then, if some had less, the rest comes from those that filled their share. */
    private final class Round {
        private final int wanted;
        /** Of the buffer before the first claim. */
        private final Buffer.Level before;

        private final Set<String> empty = new HashSet<>();
        private int claimed;
        private boolean cutShort;
        /** By a limit: that nothing was found does not mean that there is nothing. */
        private boolean heldBack;

        private @Nullable Exception broken;

        Round(int wanted, Buffer.Level before) {
            this.wanted = wanted;
            this.before = before;
        }

        void run() throws SQLException {
            List<QueueOrder.Share> shares = config.order().shares(wanted, () -> due == null ? List.of() : due.next());
            heldBack |= due != null && due.hasLeftOut();
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

        /** A problem with one queue must not keep the worker from the others. */
        private void claimOrRemember(String queue, int limit) throws SQLException {
            try {
                int before = claimed;
                long asked = claims;
                claim(queue, limit);
                if (due != null && claims > asked) { // where a limit is reached nothing is asked
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
         * What begins now or in a moment counts as begun with its claim, so that nothing has to be announced. If that is
         * not all, and there are as many, more are claimed ahead.
         */
        private void claim(String queue, int limit) throws SQLException {
            ClaimStrategy strategy = strategies.of(queue);
            if (!localLimits.none()) {
                claimLimited(strategy, queue, limit);
                return;
            }
            boolean inTransaction = strategy.mode() == RunMode.IN_TRANSACTION;
            int soon = inTransaction ? Math.min(limit, idle()) : soon(limit, 0);
            int got = soon > 0 ? claim(strategy, queue, soon, false) : 0;
            boolean more = got >= soon && soon < limit;
            if (more && inTransaction) { // that transaction is its claim, so nothing is claimed ahead
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
                    strategy, queue, new LocalLimits.Part(config.handlers().openKinds(), limit, false, List.of()), waits);
        }

        /** Only what will begin in a moment counts as begun with its claim: others may have to wait for their turn. */
        private void claimLimited(ClaimStrategy strategy, String queue, int limit) throws SQLException {
            boolean inTransaction = strategy.mode() == RunMode.IN_TRANSACTION;
            int most = inTransaction ? Math.min(limit, idle()) : limit;
            int ahead = inTransaction ? 0 : prefetch.ahead(System.nanoTime());
            LocalLimits.Claims claims = localLimits.plan(queue, config.handlers().openKinds(), most, ahead);
            heldBack |= !claims.isAll();
            boolean rated = localLimits.anyRated();
            int got = 0;
            for (LocalLimits.Part part : claims.parts()) {
                int some = Math.min(part.limit(), most - got);
                if (some > 0) {
                    boolean waits = !inTransaction && (rated || soon(some, got) < some);
                    int of = Fetcher.this.claim(strategy, queue, part.to(some), waits);
                    localLimits.claimed(part, of >= some);
                    heldBack |= of >= some;
                    got += of;
                }
            }
            claimed += got;
            empty.add(queue); // what there is room for is claimed
        }

        private int soon(int limit, int got) {
            return prefetch.isSoon(level(got), limit, System.nanoTime()) ? limit : Math.min(limit, idle());
        }

        private int idle() {
            Buffer.Level level = level(0);
            return prefetch.jobs(level.idle() - level.buffered());
        }

        /** The handlers are at its lock for each job, so it is not looked at again without need. */
        private Buffer.Level level(int got) {
            return claimed + got == 0 ? before : buffer.level();
        }
    }

    private int claim(ClaimStrategy strategy, String queue, LocalLimits.Part part, boolean waits) throws SQLException {
        // What is given away begins when others say so, and what waits for others to go with it begins when they have
        // come.
        boolean anyElsewhere = config.handlers().anyElsewhere();
        boolean ahead = waits || anyElsewhere || places.anyWait();
        if (part.kinds().isEmpty()) {
            return 0;
        }
        long sent = System.nanoTime();
        LeaseTerms terms = new LeaseTerms(strategy.lease(config.lease()));
        ClaimRequest request =
                new ClaimRequest(queue, part.kinds(), part.limit(), workerId.getAsLong(), terms.length(), ahead);
        claims++;
        List<Grant> grants = strategy.claim(part.ofRows() ? request.rowsOnly() : request);
        if (!grants.isEmpty()) {
            health.wrote(sent);
        }
        if (places.anyChunks() && grants.size() == part.limit() && strategy.mode() != RunMode.IN_TRANSACTION) {
            grants = filled(strategy, request, grants);
        }
        intake.take(strategy, grants, ahead, sent, terms);
        return grants.size();
    }

    /**
     * {@return the same, and what fills the first chunk of each kind} Who goes first is decided as ever; what is claimed with it passes
     * jobs of other kinds.
     */
    private List<Grant> filled(ClaimStrategy strategy, ClaimRequest request, List<Grant> grants) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Grant grant : grants) {
            if (places.chunk(grant.job()) != null) {
                counts.merge(grant.job().kind(), 1, Integer::sum);
            }
        }
        List<Grant> all = new ArrayList<>(grants);
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            String kind = each.getKey();
            int got = each.getValue();
            int missing = Math.min(config.batch(), places.chunkSize(kind) - got - buffer.of(kind));
            if (missing > 0) {
                List<LocalLimits.Part> parts = localLimits.none()
                        ? List.of(new LocalLimits.Part(List.of(kind), got + missing, false, List.of()))
                        : localLimits.plan(request.queue(), List.of(kind), got + missing, 0)
                                .parts();
                for (LocalLimits.Part part : parts.subList(0, Math.min(1, parts.size()))) {
                    if (part.limit() > got) {
                        ClaimRequest more = request.only(kind, part.limit() - got);
                        all.addAll(claimed(strategy, part.ofRows() ? more.rowsOnly() : more));
                    }
                }
            }
        }
        return all;
    }

    /** What was claimed before must not be lost with an error; if that lasts, the next claim says so. */
    private static List<Grant> claimed(ClaimStrategy strategy, ClaimRequest request) {
        try {
            return strategy.claim(request);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("nothing more was claimed to fill a chunk", e);
            return List.of();
        }
    }

    /** Rounds in which nothing was found, so far. */
    long emptyRounds() {
        return emptyRounds.get();
    }

    /** Claims no more, or again. */
    void quiet(boolean wanted) {
        quiet = wanted;
        turnClaims.rest(wanted || stopping);
        signal.room();
    }

    boolean isQuiet() {
        return quiet;
    }

    /** Claims no more, for good. */
    void stop() {
        stopping = true;
        turnClaims.rest(true);
        signal.close();
    }
}
