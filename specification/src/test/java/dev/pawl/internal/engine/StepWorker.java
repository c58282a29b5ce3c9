package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.Outcome;
import dev.pawl.PayloadCodec;
import dev.pawl.RetryPolicy;
import dev.pawl.RunSuspended;
import dev.pawl.Signal;
import dev.pawl.Strategy;
import dev.pawl.TypeToken;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Announced;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.LaidAside;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A worker that does one thing at a time, when it is told to: over the ports of a real queue, with the judgement of the real engine. What
 * the engine does by threads (fetch, run, complete, rescue, release keys) are its methods.
 */
public final class StepWorker {
    /** How long its leases are. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    /** What it waits after a failure, whichever attempt it was. */
    public static final Duration RETRY = Duration.ofSeconds(1);

    private static final TypeToken<String> TEXT = TypeToken.of(String.class);

    private static final List<String> QUEUES = List.of("default", "b");

    /**
     * A job that it runs.
     *
     * @param job as it was claimed
     * @param settlement ends it, once there is a verdict
     */
    public record Run(Job job, Settlement settlement, ClaimStrategy strategy) {}

    private final Ports ports;
    private final Judge judge = new Judge(RetryPolicy.fixed(RETRY));
    private final Map<String, ClaimStrategy> strategies = new LinkedHashMap<>();
    private final Strategy strategy;
    private final long id;
    private Set<Long> paused = Set.of();
    private final Set<Lease> begun = new HashSet<>();
    private final StepLimits limits;
    private final Map<Lease, Taking> taking = new HashMap<>();
    private final PayloadCodec codec;
    private final List<Long> returned = new ArrayList<>();

    /**
     * @param ports of a queue
     * @param strategy with which it claims
     * @param name of the worker
     * @param codec of what jobs remember
     */
    public StepWorker(Ports ports, Strategy strategy, String name, PayloadCodec codec) throws SQLException {
        this.codec = codec;
        this.ports = ports;
        this.strategy = strategy;
        this.id = ports.workers().register(name, QUEUES, List.of("ka", "kb"), 10, 10, List.of());
        this.limits = new StepLimits(ports.limits(), id);
    }

    /** {@return its number} */
    public long id() {
        return id;
    }

    private ClaimStrategy strategy() {
        return strategies.computeIfAbsent("", any -> ports.store().strategy(strategy));
    }

    /** {@return what begins; what may not is put aside or cancelled} */
    public List<Run> claim(String queue, List<String> kinds, int most) throws SQLException {
        settings();
        returned.clear();
        if (limits.isFree(queue, kinds)) {
            return begun(granted(new ClaimRequest(queue, kinds, most, id, LEASE, false)));
        }
        List<Run> all = new ArrayList<>();
        for (StepLimits.Part part : limits.plan(queue, kinds, most)) {
            long same = all.stream()
                    .filter(run -> part.kinds().equals(List.of(run.job().kind())))
                    .count();
            int some = (int) Math.min(part.most() - same, most - all.size());
            if (some > 0) {
                ClaimRequest request = new ClaimRequest(queue, part.kinds(), some, id, LEASE, false);
                all.addAll(begun(granted(part.ofRows() ? request.rowsOnly() : request)));
            }
        }
        return all;
    }

    private List<Grant> granted(ClaimRequest request) throws SQLException {
        List<Grant> grants = new ArrayList<>();
        boolean more = true;
        while (more && grants.size() < request.limit()) {
            List<Grant> some = strategy().claim(request.withLimit(request.limit() - grants.size()));
            grants.addAll(some);
            more = !some.isEmpty();
        }
        return grants;
    }

    /** {@return jobs that the last claim has given back, because there were no starts for them} */
    public List<Long> returned() {
        return List.copyOf(returned);
    }

    private List<Run> begun(List<Grant> grants) throws SQLException {
        List<Run> begun = new ArrayList<>();
        Set<Long> batches = new HashSet<>();
        grants.forEach(grant -> grant.job().batch().ifPresent(batches::add));
        Set<Long> stopped = batches.isEmpty() ? Set.of() : ports.store().stopped(batches);
        for (Grant grant : grants) {
            Job job = grant.job();
            long batch = job.batch().orElse(0);
            Run run = new Run(job, new Settlement(grant.lease(), new Verdict.GiveBack(), batch), strategy());
            if (paused.contains(batch)) {
                settle(run, new Verdict.Snooze(LaidAside.LENGTH));
            } else if (stopped.contains(batch)) {
                settle(run, new Verdict.Cancelled("its batch was stopped"));
            } else if (job.expiresAt().isPresent()
                    && job.startedAt() != null
                    && !job.startedAt().isBefore(job.expiresAt().get())) {
                settle(run, new Verdict.Cancelled("expired"));
            } else if (!limits.enter(job, grant.lease())) {
                returned.add(job.id());
                boolean unused = release(run);
            } else {
                begun.add(run);
            }
        }
        announce(begun);
        return begun;
    }

    /** Jobs that were tried before, or have one attempt only, are announced when a handler takes them. */
    private void announce(List<Run> runs) throws SQLException {
        boolean any = false;
        for (Run run : runs) {
            if (run.job().attempt() > 1 || run.job().attempt() >= run.job().maxAttempts()) {
                any |= begun.add(run.settlement().lease());
            }
        }
        if (any) {
            ports.workers().announce(id, Announced.encode(begun), Duration.ofSeconds(10));
        }
    }

    private void settings() throws SQLException {
        JobStore.Settings settings = ports.store().settings();
        Set<Long> before = paused;
        paused = settings.paused();
        limits.limited(settings.limited());
        for (long batch : before) {
            if (!paused.contains(batch)) {
                ports.store().letGo(batch);
            }
        }
    }

    /** {@return whether what its handler said is recorded} */
    public boolean end(Run run, Outcome outcome) throws SQLException {
        boolean recorded = settle(run, judge.judge(run.job(), outcome));
        String key = run.job().key().orElse(null);
        if (recorded && key != null && outcome instanceof Outcome.KeyUnavailable unavailable) {
            KeyTurns.JobKey one = new KeyTurns.JobKey(run.job().queue(), key);
            ports.keys().unavailable(one, unavailable.delay(), unavailable.reason());
            letGo(List.of(one));
        } else if (recorded && outcome instanceof Outcome.Unavailable unavailable) {
            ports.limits().unavailable(Subject.kind(run.job().kind()), unavailable.delay(), unavailable.reason());
        } else if (recorded && !(outcome instanceof Outcome.KeyUnavailable)) {
            limits.available(run.job());
        }
        return recorded;
    }

    /** {@return whether it is recorded that its handler has thrown} */
    public boolean fail(Run run) throws SQLException {
        boolean recorded = settle(run, judge.failed(run.job(), "failed", (RetryPolicy) null));
        if (recorded) {
            limits.available(run.job());
        }
        return recorded;
    }

    private boolean settle(Run run, Verdict verdict) throws SQLException {
        Settlement settlement = new Settlement(
                run.settlement().lease(), verdict, run.settlement().batch());
        limits.leave(run.settlement().lease());
        Settled settled = run.strategy().settle(List.of(settlement));
        return settled.accepted().contains(settlement.lease());
    }

    /** {@return the runs whose completion is recorded, several in one call} */
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
            limits.leave(run.settlement().lease());
            if (done.contains(run)) {
                limits.available(run.job());
            }
        }
        return done;
    }

    /** {@return whether its transaction has completed the job} */
    public boolean completeInTransaction(Run run) throws SQLException {
        limits.leave(run.settlement().lease());
        boolean completed = completedInTransaction(run);
        if (completed) {
            limits.available(run.job());
        }
        return completed;
    }

    private boolean completedInTransaction(Run run) throws SQLException {
        if (!run.strategy().detach(run.settlement().lease())) {
            return false;
        }
        return ports.store()
                .inTransaction(connection ->
                        ports.store().lock(connection, run.settlement().lease())
                                && ports.store()
                                        .complete(
                                                connection,
                                                new Settlement(
                                                        run.settlement().lease(),
                                                        new Verdict.Completed(),
                                                        run.settlement().batch())));
    }

    /** Gives a job back that has not begun. */
    public boolean release(Run run) throws SQLException {
        limits.leave(run.settlement().lease());
        return run.strategy()
                        .release(List.of(run.settlement().lease()))
                        .contains(run.settlement().lease())
                || settle(run, new Verdict.GiveBack());
    }

    /** {@return whether the lease is longer now} */
    public boolean renew(Run run) throws SQLException {
        return run.strategy()
                .renew(List.of(new LeaseRenewal(run.settlement().lease(), null)), LEASE)
                .renewed()
                .contains(run.settlement().lease());
    }

    /** What every worker does each second. */
    public int rescue() throws SQLException {
        return new Rescuer(ports.store(), judge, new Counters()).rescue();
    }

    /** What every worker does now and then. */
    public void tidy() throws SQLException {
        for (ClaimStrategy each : strategies.values()) {
            each.tidy();
        }
        ports.store().tidy();
        ports.store().sweep();
    }

    /** Releases jobs with keys whose turn it is, as the sweep of every worker does. */
    public void releaseKeys() throws SQLException {
        for (String queue : QUEUES) {
            letGo(ports.keys().ended(queue));
            @Nullable String after = "";
            while (after != null) {
                KeyTurns.Ready ready = ports.keys().ready(queue, after);
                letGo(ready.keys());
                after = ready.last();
            }
            ports.keys().forgetEmpty(queue);
        }
    }

    private void letGo(List<KeyTurns.JobKey> keys) throws SQLException {
        List<KeyTurns.JobKey> left = keys;
        for (int i = 0; i < 10 && !left.isEmpty(); i++) {
            KeyTurns.LetGo done = ports.keys().letGo(left);
            left = done.again().entrySet().stream()
                    .filter(each -> each.getValue().isZero())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** Ticks of schedules that are due. */
    public void tick() throws SQLException {
        ports.ticks().look(List.of());
    }

    /** A run that takes steps, as the engine holds it. */
    private record Taking(ActiveSteps steps, Set<String> taken) {}

    private Taking taking(Run run) {
        return taking.computeIfAbsent(run.settlement().lease(), lease -> {
            Transactions transactions =
                    new Transactions(ports.store(), new Conflicts(ports.store(), new RunLog(ports.store())), 1);
            HeldJob held = new HeldJob(
                    new Grant(run.job(), lease), run.strategy(), false, System.nanoTime(), new LeaseTerms(LEASE));
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

    /** {@return the value of a signal, if there is one; null if the run has ended, because the job waits for it} */
    public @Nullable Optional<String> await(Run run, Signal<String> signal, Duration longest) {
        try {
            return taking(run).steps().await(signal, longest);
        } catch (RunSuspended suspended) {
            limits.leave(run.settlement().lease());
            return null;
        }
    }

    /** {@return whether the run has ended, because the job sleeps} */
    public boolean sleep(Run run, String name, Duration length) {
        try {
            taking(run).steps().sleep(name, length);
            return false;
        } catch (RunSuspended suspended) {
            limits.leave(run.settlement().lease());
            return true;
        }
    }

    /** {@return whether it is recorded that a run has completed, and what it gave} */
    public boolean completeWith(Run run, String result) throws SQLException {
        boolean recorded = settle(run, new Verdict.Completed(result));
        if (recorded) {
            limits.available(run.job());
        }
        return recorded;
    }

    /** {@return jobs whose leases have expired} */
    public List<AbandonedJob> abandoned() throws SQLException {
        return ports.store().abandoned(100, 0);
    }
}
