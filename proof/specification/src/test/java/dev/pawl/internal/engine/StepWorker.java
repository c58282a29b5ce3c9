package dev.pawl.internal.engine;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunSuspended;
import dev.pawl.api.Signal;
import dev.pawl.api.Strategy;
import dev.pawl.api.TypeToken;
import dev.pawl.codec.JacksonCodec;
import dev.pawl.internal.assembly.FeatureParts;
import dev.pawl.internal.store.ClaimFilter;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.WorkerContext;
import dev.pawl.internal.store.WorkerFeatures;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.NOPLogger;

/**
 * A worker that performs single operations on demand, over the ports of a real queue and with the real engine's outcome policy. Each task
 * of the engine's threads (fetch, run, complete, rescue, release keys) is a method.
 */
public final class StepWorker {
    /** The duration of its leases. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    /** The delay after a failure, at any attempt. */
    public static final Duration RETRY = Duration.ofSeconds(1);

    /** The delay after a failure of the kind kb, which has its own policy. */
    public static final Duration RETRY_OF_KB = Duration.ofSeconds(3);

    private static final TypeToken<String> TEXT = TypeToken.of(String.class);

    private static final List<String> QUEUES = List.of("default", "b");

    /**
     * A job that it runs.
     *
     * @param job as it was claimed
     * @param settlement its lease and batch; the verdict in it is a placeholder
     */
    public record Run(Job job, Settlement settlement, ClaimStrategy strategy) {}

    private final Ports ports;
    private final FeatureParts features;
    private final WorkerFeatures.Additions additions;
    private final LongSupplier nanos;
    private final Handlers handlers = new Handlers(new JacksonCodec());
    private final OutcomePolicy outcomePolicy = new OutcomePolicy(RetryPolicy.fixed(RETRY));
    private final HeldJobs heldJobs = new HeldJobs();
    private final DatabaseHealth health;
    private final Strategies strategies;
    private final Conflicts conflicts;
    private final Transactions transactions;
    private final Rescuer own;
    private final Rescuer other;
    private final long id;
    private Set<Subject> limited = Set.of();
    private final Set<Lease> begun = new HashSet<>();
    private final StepLimits limits;
    private final Map<Lease, Taking> taking = new HashMap<>();
    private final PayloadCodec codec;
    private final List<Long> returned = new ArrayList<>();

    /**
     * @param ports of a queue
     * @param strategy with which it claims
     * @param name of the worker
     * @param codec of steps, signals and results
     * @param nanos its clock, which measures durations only
     */
    public StepWorker(Ports ports, Strategy strategy, String name, PayloadCodec codec, LongSupplier nanos)
            throws SQLException {
        this.codec = codec;
        this.ports = ports;
        this.features = (FeatureParts) ports.features();
        this.additions = ports.features().of(new WorkerContext(name, Set.copyOf(QUEUES)));
        this.nanos = nanos;
        handlers.encoded("ka", (payload, run) -> Outcome.completed(), HandlerOptions.DEFAULTS);
        handlers.encoded(
                "kb",
                (payload, run) -> Outcome.completed(),
                HandlerOptions.DEFAULTS.retryPolicy(RetryPolicy.fixed(RETRY_OF_KB)));
        health = new DatabaseHealth(name, () -> "", away -> true, NOPLogger.NOP_LOGGER, nanos);
        ServerClock clock = new ServerClock(name, LEASE, nanos);
        strategies = new Strategies(ports.store(), strategy, false, this::settings, clock);
        conflicts = new Conflicts(ports.store(), new RunLog(ports.store()));
        transactions = new Transactions(ports.store(), conflicts, 10);
        WorkerConfig config = config(name, strategy);
        own = rescuer(new WorkerRescuePolicy(heldJobs, config, health, clock, strategies));
        other = rescuer(new WorkerRescuePolicy(new HeldJobs(), config, health, clock, strategies));
        id = ports.workers().register(name, QUEUES, handlers.kinds(), 10, 10, Map.of());
        limits = new StepLimits(features.limits(), id, clock);
        watchedSince(clock, LimitSource.SHARE.plus(LEASE));
    }

    /** Makes the worker read the clock as if it had run for this long, because a worker that has just started trusts the clock less. */
    private void watchedSince(ServerClock clock, Duration ago) throws SQLException {
        long then = nanos.getAsLong() - ago.toNanos();
        clock.read(ports.store().settings().nowMicros() - TimeUnit.NANOSECONDS.toMicros(ago.toNanos()), then, then);
        readClock();
    }

    private void settings(JobStore.Settings settings) {
        additions.filters().forEach(filter -> filter.read(settings));
        limited = settings.limited();
    }

    private Rescuer rescuer(RescuePolicy policy) {
        return new Rescuer(ports.store(), outcomePolicy, new Counters(), policy);
    }

    private WorkerConfig config(String name, Strategy strategy) {
        return new WorkerConfig(
                name,
                handlers,
                new QueueOrder.Strict(QUEUES),
                10,
                10,
                0,
                2_000,
                16 << 20,
                1_000,
                LEASE,
                Duration.ofSeconds(1),
                null,
                RetryPolicy.fixed(RETRY),
                strategy,
                false,
                ShutdownTimeouts.USUAL,
                List.of(),
                false,
                List.of(),
                null);
    }

    /** {@return its id} */
    public long id() {
        return id;
    }

    /** Reads the clock and the settings of the queues, as a worker does every few seconds. */
    public void readClock() throws SQLException {
        strategies.readAgain();
    }

    /** {@return the started runs; claimed jobs that may not start are paused, cancelled or released} */
    public List<Run> claim(String queue, List<String> kinds, int most) throws SQLException {
        returned.clear();
        Set<HeldJob> before = Set.copyOf(heldJobs.all());
        boolean isHeard = false;
        try {
            settings();
            List<Run> claimed = claimed(queue, kinds, most);
            isHeard = true;
            return claimed;
        } finally {
            if (!isHeard) {
                heldJobs.all().stream().filter(held -> !before.contains(held)).forEach(this::forget);
            }
        }
    }

    private List<Run> claimed(String queue, List<String> kinds, int most) throws SQLException {
        ClaimStrategy strategy = strategies.of(queue);
        if (limits.isFree(queue, kinds)) {
            return claim(strategy, new ClaimRequest(queue, kinds, most, id, LEASE, false));
        }
        List<Run> all = new ArrayList<>();
        limits.beginClaim();
        boolean more = true;
        while (more && all.size() < most) {
            int withoutStarts = limits.withoutStarts();
            List<Run> some = claim(strategy, queue, limits.plan(queue, kinds, most - all.size()));
            all.addAll(some);
            more = !some.isEmpty() || limits.withoutStarts() > withoutStarts; // a used-up kind's share goes to others
        }
        return all;
    }

    private List<Run> claim(ClaimStrategy strategy, String queue, StepLimits.Plan plan) throws SQLException {
        List<Run> all = new ArrayList<>();
        for (StepLimits.Part part : plan.parts()) {
            int same = (int) all.stream()
                    .filter(run ->
                            part.ofRows() && part.kinds().contains(run.job().kind()))
                    .count();
            int some = Math.min(part.most() - same, plan.most() - all.size());
            if (some > 0) {
                ClaimRequest request = new ClaimRequest(queue, part.kinds(), some, id, LEASE, false);
                all.addAll(claim(strategy, part.ofRows() ? request.rowsOnly() : request));
            }
        }
        return all;
    }

    private List<Run> claim(ClaimStrategy strategy, ClaimRequest request) throws SQLException {
        long sent = nanos.getAsLong();
        List<Grant> grants = new ArrayList<>();
        boolean more = true;
        while (more && grants.size() < request.limit()) {
            List<Grant> some = strategy.claim(request.withLimit(request.limit() - grants.size()));
            grants.addAll(some);
            more = !some.isEmpty();
        }
        return begun(grants, strategy, sent);
    }

    /** {@return jobs that the last claim has released, because a rate limit did not let them start} */
    public List<Long> returned() {
        return List.copyOf(returned);
    }

    private List<Run> begun(List<Grant> grants, ClaimStrategy strategy, long sent) throws SQLException {
        List<Run> begun = new ArrayList<>();
        Map<Long, Verdict> refused = new HashMap<>();
        for (ClaimFilter filter : additions.filters()) {
            refused.putAll(filter.refuse(grants));
        }
        for (Grant grant : grants) {
            Job job = grant.job();
            long batch = job.batch().orElse(0);
            Run run = new Run(job, new Settlement(grant.lease(), new Verdict.Release(), batch), strategy);
            if (refused.containsKey(job.id())) {
                settle(run, refused.get(job.id()));
            } else if (job.expiresAt().isPresent()
                    && job.startedAt() != null
                    && !job.startedAt().isBefore(job.expiresAt().get())) {
                settle(run, new Verdict.Cancelled("expired"));
            } else if (!limits.enter(job, grant.lease())) {
                boolean unused = release(run);
                returned.add(job.id());
            } else {
                HeldJob held = new HeldJob(grant, strategy, false, sent, new LeaseTerms(LEASE));
                boolean unused = held.begin(Thread.currentThread(), 0, null);
                heldJobs.add(held);
                begun.add(run);
            }
        }
        logStarts(begun);
        return begun;
    }

    /** Jobs that were tried before, or have one attempt only, are reported as started when a handler takes them. */
    private void logStarts(List<Run> runs) throws SQLException {
        boolean any = false;
        for (Run run : runs) {
            if (run.job().attempt() > 1 || run.job().attempt() >= run.job().maxAttempts()) {
                any |= begun.add(run.settlement().lease());
            }
        }
        if (any) {
            ports.workers().logStarts(id, StartedLeases.encode(begun), Duration.ofSeconds(10));
        }
    }

    private void settings() throws SQLException {
        readClock();
        limits.limited(limited);
        for (Duty duty : additions.duties()) {
            if (duty.work() instanceof ClaimFilter) { // releases the jobs of resumed batches
                duty.work().run();
            }
        }
    }

    /** {@return whether the handler's outcome is recorded} */
    public boolean end(Run run, Outcome outcome) throws SQLException {
        boolean recorded = settle(run, outcomePolicy.decide(run.job(), outcome));
        String key = run.job().key().orElse(null);
        if (recorded && key != null && outcome instanceof Outcome.KeyUnavailable unavailable) {
            JobKey one = new JobKey(run.job().queue(), key);
            features.keys().unavailable(one, unavailable.delay(), unavailable.reason());
            releaseKeys(List.of(one));
        } else if (recorded && outcome instanceof Outcome.Unavailable unavailable) {
            features.limits().unavailable(Subject.kind(run.job().kind()), unavailable.delay(), unavailable.reason());
        } else if (recorded && !(outcome instanceof Outcome.KeyUnavailable)) {
            limits.available(run.job());
        }
        return recorded;
    }

    /**
     * Fails a run with an exception of its handler.
     *
     * @param read reads the payload; if it throws, the run fails with that error instead
     * @return whether the failure is recorded
     */
    public boolean fail(Run run, Consumer<String> read) throws SQLException {
        String error = "failed";
        try {
            read.accept(run.job().payload());
        } catch (RuntimeException e) {
            error = ErrorText.of(e);
        }
        Handlers.Entry entry = handlers.of(run.job().kind());
        RetryPolicy policy = entry == null ? null : entry.options().retryPolicy();
        boolean recorded = settle(run, outcomePolicy.failed(run.job(), error, policy));
        if (recorded) {
            limits.available(run.job());
        }
        return recorded;
    }

    private boolean settle(Run run, Verdict verdict) throws SQLException {
        Settlement settlement = new Settlement(
                run.settlement().lease(), verdict, run.settlement().batch());
        Settled settled = run.strategy().settle(List.of(settlement));
        forget(run);
        return settled.accepted().contains(settlement.lease());
    }

    /** {@return the runs whose completion is recorded} Completes all runs of one claim strategy in one call. */
    public Set<Run> complete(List<Run> runs) throws SQLException {
        Set<Lease> accepted = new HashSet<>();
        Map<ClaimStrategy, List<Settlement>> by = new LinkedHashMap<>();
        for (Run run : runs) {
            by.computeIfAbsent(run.strategy(), any -> new ArrayList<>())
                    .add(new Settlement(
                            run.settlement().lease(),
                            new Verdict.Completed(),
                            run.settlement().batch()));
        }
        for (Map.Entry<ClaimStrategy, List<Settlement>> each : by.entrySet()) {
            accepted.addAll(each.getKey().settle(each.getValue()).accepted());
        }
        Set<Run> done = runs.stream()
                .filter(run -> accepted.contains(run.settlement().lease()))
                .collect(Collectors.toSet());
        for (Run run : runs) {
            forget(run);
            if (done.contains(run)) {
                limits.available(run.job());
            }
        }
        return done;
    }

    /** Work during an open transaction. */
    @FunctionalInterface
    public interface Work {
        /** Does the work. */
        void run() throws SQLException;
    }

    /** The result of completing a run in its transaction. */
    public enum Committed {
        /** It has completed. */
        COMPLETED,
        /** It had lost its lease. */
        LOST,
        /**
         * A statement of the library, or the commit, conflicted with another transaction, so the run is released without using an attempt.
         */
        RELEASED
    }

    /**
     * Completes a run in its transaction.
     *
     * @param inside runs before the commit
     * @return the result
     */
    public Committed completeInTransaction(Run run, Work inside) throws SQLException {
        HeldJob held = heldJobs.of(run.settlement().lease());
        if (held == null) {
            throw new IllegalStateException("job " + run.job().id() + " is not held");
        }
        boolean[] isOver = new boolean[1];
        try {
            transactions.run(held, connection -> {
                inside.run();
                isOver[0] = true;
            });
        } catch (LeaseLostException lost) {
            forget(run);
            return Committed.LOST;
        } catch (Exception e) {
            Verdict free = isOver[0] ? conflicts.free(held, e) : null;
            if (free != null) {
                return settle(run, free) ? Committed.RELEASED : Committed.LOST;
            }
            if (e instanceof SQLException failed) {
                throw failed;
            }
            throw e instanceof RuntimeException failed ? failed : new IllegalStateException(e);
        }
        forget(run);
        limits.available(run.job());
        return Committed.COMPLETED;
    }

    /** Releases a job that has not started. */
    public boolean release(Run run) throws SQLException {
        boolean released = run.strategy()
                        .release(List.of(run.settlement().lease()))
                        .contains(run.settlement().lease())
                || settle(run, new Verdict.Release());
        forget(run);
        return released;
    }

    /** {@return whether the lease was extended} */
    public boolean renew(Run run) throws SQLException {
        long sent = nanos.getAsLong();
        boolean renewed = run.strategy()
                .renew(List.of(new LeaseRenewal(run.settlement().lease(), null)), LEASE)
                .renewed()
                .contains(run.settlement().lease());
        HeldJob held = heldJobs.of(run.settlement().lease());
        if (renewed && held != null) {
            held.clock().renewed(sent);
        }
        return renewed;
    }

    /** {@return whether the run had not lost its lease} Hands a run off: this worker does not renew or end it any more. */
    public boolean handOff(Run run) throws SQLException {
        boolean handedOff = run.strategy().detach(run.settlement().lease());
        forget(run);
        return handedOff;
    }

    private void forget(Run run) {
        limits.leave(run.settlement().lease());
        HeldJob held = heldJobs.of(run.settlement().lease());
        if (held != null) {
            forget(held);
        }
    }

    private void forget(HeldJob held) {
        limits.leave(held.lease());
        boolean unused = heldJobs.remove(held);
    }

    /** The database becomes unreachable. */
    public void losesDatabase() {
        boolean unused = health.failed("claim jobs", new SQLException("the database is away", "08001"));
    }

    /** The database is reachable again; all handlers have ended in the meantime. */
    public void findsDatabase() {
        heldJobs.all().forEach(HeldJob::end);
        health.wrote(nanos.getAsLong());
    }

    /** Rescues expired jobs, as a worker does every second. */
    public int rescue() throws SQLException {
        return own.rescue();
    }

    /** Rescues expired jobs as another worker would that has run for as long as this worker, and holds no jobs. */
    public int rescueOfOthers() throws SQLException {
        return other.rescue();
    }

    /** The periodic duties of every worker. */
    public void tidy() throws SQLException {
        strategies.tidy();
        ports.store().sweep();
        for (Duty duty : additions.duties()) {
            duty.work().recheck();
            duty.work().run();
        }
    }

    /** {@return how long an idle worker may suspend; empty if it may suspend until another program wakes it} */
    public Optional<Duration> suspendsFor() throws SQLException {
        NextMoment.Moments moments = ports.next().until(QUEUES, handlers.kinds(), QUEUES, List.of());
        for (Duty duty : additions.duties()) {
            if (!Collections.disjoint(duty.whileSuspended().sources(), moments.due())) {
                duty.work().recheck();
            }
        }
        return moments.first();
    }

    /** Releases as many blocked jobs as their keys allow, as every worker's sweep does. */
    public void releaseKeys() throws SQLException {
        for (String queue : QUEUES) {
            releaseKeys(features.keys().ended(queue));
            @Nullable String after = "";
            while (after != null) {
                ConcurrencyKeys.Ready ready = features.keys().ready(queue, after);
                releaseKeys(ready.keys());
                after = ready.last();
            }
            features.keys().forgetEmpty(queue);
        }
    }

    private void releaseKeys(List<JobKey> keys) throws SQLException {
        List<JobKey> left = keys;
        for (int i = 0; i < 10 && !left.isEmpty(); i++) {
            ConcurrencyKeys.Released done = features.keys().releaseJobs(left);
            left = done.again().entrySet().stream()
                    .filter(each -> each.getValue().isZero())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** Enqueues due ticks of schedules. */
    public void tick() throws SQLException {
        ports.ticks().processDue(List.of());
    }

    /** The engine's state of a run that takes steps. */
    private record Taking(ActiveSteps steps, Set<String> taken) {}

    private Taking taking(Run run) {
        return taking.computeIfAbsent(run.settlement().lease(), lease -> {
            HeldJob held = Objects.requireNonNull(heldJobs.of(lease), "a run that is not held");
            return new Taking(new ActiveSteps(held, transactions, ports.store(), codec), new HashSet<>());
        });
    }

    /** {@return whether a run takes a step for the first time} */
    public boolean takes(Run run, String name) {
        return taking(run).taken().add(name);
    }

    /** {@return the value of a step} */
    public String step(Run run, String name, String value) throws SQLException {
        try {
            return taking(run).steps().run(name, TEXT, () -> value);
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the value of a step that is written in a transaction} */
    public String stepInTransaction(Run run, String name, String value) throws SQLException {
        try {
            return taking(run).steps().inTransaction(name, TEXT, connection -> value);
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The result of waiting for a signal.
     *
     * @param isSuspended whether the run has ended, because the job waits
     * @param value of the signal; null if there is none
     */
    public record Awaited(boolean isSuspended, @Nullable String value) {}

    /** Waits for a signal. */
    public Awaited await(Run run, Signal<String> signal, Duration longest) {
        try {
            return new Awaited(false, taking(run).steps().await(signal, longest).orElse(null));
        } catch (RunSuspended suspended) {
            forget(run);
            return new Awaited(true, null);
        }
    }

    /** {@return whether the run has ended, because the job sleeps} */
    public boolean sleep(Run run, String name, Duration length) {
        try {
            taking(run).steps().sleep(name, length);
            return false;
        } catch (RunSuspended suspended) {
            forget(run);
            return true;
        }
    }

    /** {@return whether the completion of a run is recorded, with its result} */
    public boolean completeWith(Run run, String result) throws SQLException {
        boolean recorded = settle(run, new Verdict.Completed(result));
        if (recorded) {
            limits.available(run.job());
        }
        return recorded;
    }
}
