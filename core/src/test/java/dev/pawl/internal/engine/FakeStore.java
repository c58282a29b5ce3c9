package dev.pawl.internal.engine;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.Allocation.Permits;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.ConcurrencyKeys;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.LogLine;
import dev.pawl.internal.store.Maintenance;
import dev.pawl.internal.store.QueueAndKind;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.Rescue;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.RunRequests;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.StepStore;
import dev.pawl.internal.store.StrategyChoice;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.WorkerDirectory;
import dev.pawl.internal.store.WorkerRequest;
import dev.pawl.limit.Subject;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Implements the ports of the engine in memory, with one queue and leases by this JVM's clock. Every operation can be made to fail or to
 * hang. Only for tests of the engine, because contract tests check the stores in databases.
 */
final class FakeStore implements JobStore, WorkerDirectory, Maintenance, TickSource, LimitSource, ConcurrencyKeys {
    private final Map<Long, Row> live = new LinkedHashMap<>();
    private final Map<Long, Row> finished = new LinkedHashMap<>();
    private final Map<Long, String> startedLeases = new ConcurrentHashMap<>();
    private final Map<String, Throwable> failures = new ConcurrentHashMap<>();
    private final Map<String, Integer> failuresLeft = new ConcurrentHashMap<>();
    private final Map<String, Runnable> hooks = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> limiters = new ConcurrentHashMap<>();
    /** The time until each key is to be released again. */
    final Map<JobKey, Duration> keyWaits = new ConcurrentHashMap<>();

    /**
     * The number of blocked jobs that releases may still claim. The next two fields record how many were claimed, and how many each release
     * requested.
     */
    volatile int blocked;

    volatile int claimedInReleases;
    final List<Integer> releases = new CopyOnWriteArrayList<>();

    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final Set<Long> locked = ConcurrentHashMap.newKeySet();
    /** Jobs whose rows the database has lost, until they are looked up. */
    final Set<Long> withoutRows = ConcurrentHashMap.newKeySet();

    private final List<String> logged = new ArrayList<>();
    private final List<Duration> ages = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private final Map<Strategy, ClaimStrategy> byStrategy = new ConcurrentHashMap<>();
    private final List<ClaimRequest> claims = new ArrayList<>();
    private final Map<String, String> settings = new ConcurrentHashMap<>();
    /** Whether another program has declared a schedule differently. */
    volatile boolean overridden;

    private final List<Declaration> declared = new ArrayList<>();
    private final Map<Subject, Allocation> limits = new ConcurrentHashMap<>();
    private final List<String> limitCalls = new CopyOnWriteArrayList<>();
    /** Leases of jobs whose cancellation was requested. Only {@link #runRequests} reports these requests. */
    final Set<Lease> cancelled = ConcurrentHashMap.newKeySet();
    /** Runs whose stack trace was requested. The next field has the reported stack traces. */
    final Set<Lease> stacksWanted = ConcurrentHashMap.newKeySet();

    final Map<Lease, String> stacks = new ConcurrentHashMap<>();

    /** Jobs whose rows no transaction can lock, while everything else works. */
    final Set<Long> unlockable = ConcurrentHashMap.newKeySet();

    volatile WorkerCommand command = WorkerCommand.WORK;
    volatile @Nullable Integer wanted;
    volatile @Nullable String reportedRuns;
    volatile boolean keyed;
    /** Batches whose jobs must not start. */
    volatile Set<Long> paused = Set.of();

    /** The concurrency key of every job. */
    volatile @Nullable String key;

    volatile @Nullable Long batch;

    private volatile @Nullable Duration untilTick;
    private volatile Duration startLogTimeout = Duration.ZERO;
    private volatile UnaryOperator<Duration> leaseLength = configured -> configured;
    /** Waiting jobs that no live worker handles. */
    volatile List<QueueAndKind> uncovered = List.of();

    private final AtomicLong aheadNanos = new AtomicLong();
    private long nextId = 1;
    private long nextWorker = 1;

    /** A job with the columns of its row. */
    static final class Row {
        final long id;
        final String payload;
        final int maxAttempts;
        String kind = "greet";
        JobState state = JobState.AVAILABLE;
        int attempt;
        long token;
        long leasedBy;
        boolean prefetched;
        long expiresNanos;

        Instant expiresAt() {
            return Instant.EPOCH.plusNanos(expiresNanos);
        }

        boolean cancelRequested;
        /** The delay that the last retry requested; claims do not wait for it. */
        Duration wait = Duration.ZERO;

        @Nullable
        Integer progress;

        @Nullable
        String reason;

        Row(long id, String payload, int maxAttempts) {
            this.id = id;
            this.payload = payload;
            this.maxAttempts = maxAttempts;
        }

        Lease lease() {
            return new Lease(id, token);
        }
    }

    synchronized long add(String payload, int maxAttempts) {
        Row row = new Row(nextId++, payload, maxAttempts);
        live.put(row.id, row);
        return row.id;
    }

    void add(int jobs, int maxAttempts) {
        add(jobs, "{}", maxAttempts);
    }

    /** Adds this number of jobs atomically, as one commit does. No claim sees only a part of them. */
    synchronized void add(int jobs, String payload, int maxAttempts) {
        for (int i = 0; i < jobs; i++) {
            add(payload, maxAttempts);
        }
    }

    /** Adds jobs with earlier attempts. */
    synchronized List<Long> addTried(int jobs, String payload, int attempts) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            long id = add(payload, 20);
            row(id).attempt = attempts;
            ids.add(id);
        }
        return ids;
    }

    synchronized Row row(long id) {
        Row row = live.containsKey(id) ? live.get(id) : finished.get(id);
        if (row == null) {
            throw new AssertionError("there is no job " + id);
        }
        return row;
    }

    synchronized long count(JobState state) {
        return live.values().stream().filter(row -> row.state == state).count()
                + finished.values().stream().filter(row -> row.state == state).count();
    }

    synchronized List<String> logged() {
        return List.copyOf(logged);
    }

    /** {@return the age of the log lines when they were written} */
    synchronized List<Duration> ages() {
        return List.copyOf(ages);
    }

    synchronized List<String> errors() {
        return List.copyOf(errors);
    }

    /** {@return an error of an unavailable database} */
    static SQLException away() {
        return new SQLTransientConnectionException("away", "08001");
    }

    /** {@return an error for values that the database always refuses} */
    static SQLException refused() {
        return new SQLException("too long", "22001");
    }

    /** {@return an error of contention with another transaction} */
    static SQLException conflict() {
        return new SQLException("could not serialize access", "40001");
    }

    /** {@return an error that may be transient or not} */
    static SQLException odd() {
        return new SQLException("permission denied", "42501");
    }

    /** Creates a {@link DatabaseHealth} for this store, for tests of a single part. */
    DatabaseHealth health() {
        return new DatabaseHealth("test", this::where, this::isOutage);
    }

    /** Makes each call of the operation throw this; null restores it. */
    void fail(String verb, @Nullable Throwable with) {
        if (with == null) {
            failures.remove(verb);
        } else {
            failures.put(verb, with);
        }
    }

    /** Makes the next calls of the operation throw this. */
    void fail(String verb, int times, Throwable with) {
        failuresLeft.put(verb, times);
        failures.put(verb, with);
    }

    /** Runs this before each call of the operation. */
    void on(String verb, Runnable hook) {
        hooks.put(verb, hook);
    }

    /** Makes calls of the operation wait until the latch is open. */
    void hang(String verb, CountDownLatch until) {
        limiters.put(verb, until);
    }

    /** Locks the row for another transaction. */
    void lockRow(long id, boolean on) {
        if (on) {
            locked.add(id);
        } else {
            locked.remove(id);
        }
    }

    int calls(String verb) {
        return calls.getOrDefault(verb, 0);
    }

    /** Lets another worker claim the job, even if it is held. */
    synchronized void steal(long id) {
        Row row = row(id);
        row.token++;
        row.leasedBy = 99;
        row.state = JobState.RUNNING;
        row.expiresNanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    }

    /** Sets the clock of the store forward; running jobs keep their leases from before. */
    void jump(Duration length) {
        aheadNanos.addAndGet(length.toNanos());
    }

    /** Expires the leases of all running jobs by the clock of the store. */
    synchronized void expireAll() {
        long now = System.nanoTime();
        live.values().forEach(row -> row.expiresNanos = now);
    }

    synchronized void requestCancel(long id) {
        row(id).cancelRequested = true;
    }

    /** Makes a schedule due after this time; null for no schedule. */
    void tickIn(@Nullable Duration time) {
        untilTick = time;
    }

    /** Sets the strategy of a queue. */
    void set(String queue, String strategyText) {
        settings.put(queue, strategyText);
    }

    /** Makes every strategy use leases of this length instead of the worker's. */
    void leases(UnaryOperator<Duration> length) {
        leaseLength = length;
    }

    synchronized List<ClaimRequest> claims() {
        return List.copyOf(claims);
    }

    /** {@return the start log that a worker wrote last} */
    String startedLeases(long worker) {
        return startedLeases.getOrDefault(worker, "");
    }

    /** {@return the timeout of the last write of a start log} */
    Duration startLogTimeout() {
        return startLogTimeout;
    }

    private void enter(String verb) throws SQLException {
        calls.merge(verb, 1, Integer::sum);
        hooks.getOrDefault(verb, () -> {}).run();
        CountDownLatch limiter = limiters.get(verb);
        if (limiter != null) {
            awaitUninterruptibly(limiter);
        }
        Throwable failure = failures.get(verb);
        Integer left = failuresLeft.computeIfPresent(verb, (name, times) -> times - 1);
        if (left != null && left <= 0) {
            failures.remove(verb);
            failuresLeft.remove(verb);
        }
        if (failure instanceof SQLException e) {
            throw e;
        } else if (failure != null) {
            throw FakeStore.<RuntimeException>sneaky(failure);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Like a driver that reads from a socket, it ignores interrupts. */
    private static void awaitUninterruptibly(CountDownLatch limiter) {
        boolean interrupted = false;
        while (true) {
            try {
                limiter.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int maxKeys() {
        return 1_000;
    }

    @Override
    public List<EnqueueResult> enqueue(Connection connection, List<JobRequest> jobs) {
        throw new UnsupportedOperationException("not the engine's business");
    }

    @Override
    public ClaimStrategy strategy(Strategy strategy) {
        if (strategy.equals(Strategy.PESSIMISTIC)) {
            throw new SchemaException("this store cannot do " + strategy);
        }
        return byStrategy.computeIfAbsent(
                strategy,
                any -> new Rows(any instanceof Strategy.Transactional ? RunMode.IN_TRANSACTION : RunMode.BUFFERED));
    }

    @Override
    public StrategyChoice choice() {
        return new StrategyChoice(Strategy.SKIP_LOCKED, "a fake");
    }

    @Override
    public Settings settings() throws SQLException {
        enter("settings");
        return new Settings(
                Map.copyOf(settings),
                Optional.ofNullable(untilTick),
                Set.copyOf(limits.keySet()),
                keyed,
                paused,
                Set.of(),
                TimeUnit.NANOSECONDS.toMicros(System.nanoTime() + aheadNanos.get()));
    }

    /** Sets the allocation for each worker that requests it. */
    void limit(Subject subject, Allocation dealt) {
        limits.put(subject, dealt);
    }

    /** {@return the reports about limits} */
    List<String> limitCalls() {
        return limitCalls;
    }

    @Override
    public Allocation allocate(long workerId, Request ask, long latest) throws SQLException {
        enter("allocate");
        return limits.getOrDefault(ask.subject(), Allocation.UNLIMITED);
    }

    @Override
    public long newestBlocked() {
        return 0;
    }

    @Override
    public Blocked blockedAfter(Collection<String> queues, long after) {
        return new Blocked(Set.of(), after, true);
    }

    @Override
    public Ready ready(String queue, String after) throws SQLException {
        enter("ready");
        return new Ready(List.of(), null);
    }

    @Override
    public List<JobKey> ended(String queue) {
        return List.of();
    }

    @Override
    public void forgetEmpty(String queue) {}

    @Override
    public Released releaseJobs(Collection<JobKey> keys, Map<String, ClaimRequest> wanted) throws SQLException {
        enter("releaseJobs");
        List<Grant> claimed = new ArrayList<>();
        synchronized (this) {
            ClaimRequest request = wanted.get("default");
            releases.add(request == null ? 0 : request.limit());
            while (request != null && blocked > 0 && claimed.size() < request.limit()) {
                blocked--;
                claimed.add(grant(row(add("{}", 3)), request));
            }
            claimedInReleases += claimed.size();
        }
        return new Released(Set.of(), keyWaits, claimed);
    }

    @Override
    public void unavailable(JobKey key, Duration wait, String reason) {}

    @Override
    public Map<String, Allocation> starts(String queue, List<KeyRequest> requests) {
        return Map.of();
    }

    @Override
    public void release(long workerId) throws SQLException {
        enter("release limits");
        limitCalls.add("handed back");
    }

    @Override
    public void unavailable(Subject subject, Duration wait, String reason) throws SQLException {
        enter("unavailable");
        limitCalls.add(subject + " unavailable: " + reason);
        limits.put(subject, new Allocation(true, new Permits(0, 0, 0), null, wait, true));
    }

    @Override
    public void available(Subject subject) throws SQLException {
        enter("available");
        limitCalls.add(subject + " available");
        limits.remove(subject);
    }

    @Override
    public boolean declare(Declaration schedule) throws SQLException {
        enter("declare");
        return declared.add(schedule);
    }

    @Override
    public Map<String, String> forms(List<Declaration> schedules) {
        return schedules.stream().collect(Collectors.toMap(Declaration::name, schedule -> "form"));
    }

    @Override
    public Reconciled reconcile(List<Declaration> schedules, String before) throws SQLException {
        enter("reconcile");
        return new Reconciled("seen", false, !overridden);
    }

    @Override
    public List<String> removeUndeclared(Predicate<String> queues) throws SQLException {
        enter("removeUndeclared");
        return List.of();
    }

    /** {@return the names of the declared schedules} */
    List<String> declared() {
        return declared.stream().map(Declaration::name).toList();
    }

    @Override
    public Processed processDue(List<Declaration> known) throws SQLException {
        enter("processDue");
        return new Processed(Set.of("default"), Optional.ofNullable(untilTick));
    }

    @Override
    public <T> T inTransaction(InTransaction<T> work) throws SQLException {
        enter("transaction");
        return work.run((Connection) Proxy.newProxyInstance(
                FakeStore.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    throw new UnsupportedOperationException("there is no database");
                }));
    }

    @Override
    public synchronized boolean lock(Connection connection, Lease lease) {
        Row row = live.get(lease.jobId());
        return row != null
                && row.lease().equals(lease)
                && row.state == JobState.RUNNING
                && !unlockable.contains(row.id)
                && !withoutRows.contains(row.id);
    }

    /** Never called, because it is only for jobs whose strategy writes a fence. */
    @Override
    public void completed(Connection connection, Settlement completed) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized boolean complete(Connection connection, Settlement completed) throws SQLException {
        enter("complete");
        Lease lease = completed.lease();
        if (!lock(connection, lease)) {
            return false;
        }
        end(row(lease.jobId()), JobState.COMPLETED, null);
        return true;
    }

    @Override
    public boolean isAnyLeaseOver() throws SQLException {
        enter("abandoned");
        synchronized (this) {
            long now = System.nanoTime() + aheadNanos.get();
            return live.values().stream().anyMatch(row -> row.state == JobState.RUNNING && now - row.expiresNanos >= 0);
        }
    }

    @Override
    public List<AbandonedJob> abandoned(int limit, int passBy) throws SQLException {
        enter("abandoned");
        if (passBy == 0) {
            enter("open ranges");
        }
        synchronized (this) {
            long now = System.nanoTime() + aheadNanos.get();
            return live.values().stream()
                    .filter(row -> row.state == JobState.RUNNING && now - row.expiresNanos >= 0)
                    .skip(passBy)
                    .limit(limit)
                    .map(row -> new AbandonedJob(
                            row.lease(),
                            row.expiresAt(),
                            row.kind,
                            null,
                            row.attempt,
                            row.maxAttempts,
                            row.leasedBy,
                            "worker",
                            !row.prefetched
                                    || !StartedLeases.among(startedLeases.get(row.leasedBy), List.of(row.lease()))
                                            .isEmpty()))
                    .toList();
        }
    }

    @Override
    public Set<Lease> rescue(List<Rescue> runs) throws SQLException {
        if (runs.size() > 10) {
            enter("rescue more than 10");
        }
        for (Rescue run : runs) {
            enter("rescue " + run.lease().jobId());
        }
        enter("rescue");
        synchronized (this) {
            return apply(runs.stream()
                            .filter(run -> isAsFound(live.get(run.lease().jobId()), run))
                            .map(run -> new Settlement(run.lease(), run.verdict()))
                            .toList())
                    .accepted();
        }
    }

    private static boolean isAsFound(@Nullable Row row, Rescue run) {
        return row != null && row.expiresAt().equals(run.expiredAt());
    }

    private synchronized Settled apply(List<Settlement> runs) {
        Set<Lease> accepted = new HashSet<>();
        Set<Lease> busy = new HashSet<>();
        for (Settlement run : runs) {
            Row row = live.get(run.lease().jobId());
            if (row == null || row.state != JobState.RUNNING || !row.lease().equals(run.lease())) {
                continue;
            }
            if (locked.contains(row.id)) {
                busy.add(run.lease());
                continue;
            }
            accepted.add(run.lease());
            apply(row, run.verdict());
        }
        return new Settled(accepted, busy);
    }

    private void end(Row row, JobState state, @Nullable String reason) {
        row.state = state;
        row.reason = reason;
        live.remove(row.id);
        finished.put(row.id, row);
    }

    private static void putBack(Row row, int refund) {
        row.state = JobState.AVAILABLE;
        row.attempt -= refund;
        row.prefetched = false;
    }

    private void apply(Row row, Verdict verdict) {
        switch (verdict.kind()) {
            case COMPLETED -> end(row, JobState.COMPLETED, null);
            case RETRY -> {
                errors.add(verdict.error());
                row.wait = verdict.delay();
                putBack(row, 0);
            }
            case SNOOZE, RELEASE, PAUSE -> putBack(row, 1);
            case CANCELLED -> end(row, JobState.CANCELLED, verdict.reason());
            case DISCARDED -> {
                errors.add(verdict.error());
                end(row, JobState.DISCARDED, verdict.reason());
            }
        }
    }

    @Override
    public void sweep() throws SQLException {
        enter("sweep");
    }

    @Override
    public boolean assign(Lease lease, String worker) throws SQLException {
        enter("assign");
        synchronized (this) {
            return row(lease.jobId()).lease().equals(lease);
        }
    }

    @Override
    public void log(List<LogLine> lines) throws SQLException {
        enter("log");
        for (LogLine line : lines) {
            enter("log " + line.line());
        }
        synchronized (this) {
            lines.forEach(line -> logged.add(line.line()));
            lines.forEach(line -> ages.add(line.age()));
        }
    }

    @Override
    public boolean settle(Connection connection, Settlement run) {
        throw new UnsupportedOperationException("runs end themselves on databases only");
    }

    @Override
    public StepStore steps() {
        throw new UnsupportedOperationException("steps are kept by databases only");
    }

    @Override
    public boolean isTransient(SQLException error) {
        return isOutage(error) || isContention(error);
    }

    @Override
    public boolean isOutage(SQLException error) {
        return "08001".equals(error.getSQLState());
    }

    @Override
    public boolean isContention(SQLException error) {
        return "40001".equals(error.getSQLState()) || "40P01".equals(error.getSQLState());
    }

    @Override
    public boolean isSerializationFailure(SQLException error) {
        return "40001".equals(error.getSQLState());
    }

    @Override
    public boolean isRefusal(SQLException error) {
        return "22001".equals(error.getSQLState());
    }

    @Override
    public void onlyForTests() {}

    @Override
    public long register(
            String name,
            List<String> queues,
            List<String> kinds,
            int concurrency,
            int maxConcurrency,
            Map<String, String> schedules)
            throws SQLException {
        enter("register");
        synchronized (this) {
            return nextWorker++;
        }
    }

    @Override
    public List<QueueAndKind> uncovered() throws SQLException {
        enter("uncovered");
        return uncovered;
    }

    @Override
    public Set<String> waitingQueues(Predicate<String> wanted) throws SQLException {
        enter("waitingQueues");
        return Set.of();
    }

    @Override
    public Due dueQueues(String after, Set<String> kinds) throws SQLException {
        enter("dueQueues");
        return new Due(Set.of(), "");
    }

    @Override
    public void claimsFrom(long workerId, List<String> queues) throws SQLException {
        enter("claimsFrom");
    }

    @Override
    public WorkerRequest heartbeat(long workerId, @Nullable String runs) throws SQLException {
        enter("heartbeat");
        reportedRuns = runs;
        return new WorkerRequest(command, wanted);
    }

    @Override
    public void scaled(long workerId, int concurrency, int done) throws SQLException {
        enter("scaled");
        if (Integer.valueOf(done).equals(wanted)) {
            wanted = null;
        }
    }

    @Override
    public RunRequests runRequests(Collection<Lease> running) throws SQLException {
        enter("asked");
        return new RunRequests(
                Set.copyOf(cancelled.stream().filter(running::contains).toList()), Set.copyOf(stacksWanted));
    }

    @Override
    public void reportStackTrace(Lease lease, String stack) throws SQLException {
        enter("tellStack");
        stacksWanted.remove(lease);
        stacks.put(lease, stack);
    }

    @Override
    public Optional<String> waitingPayload(Connection connection, long jobId) {
        throw new UnsupportedOperationException("jobs are not merged here");
    }

    @Override
    public void suspended(long workerId, Duration length) throws SQLException {
        enter("suspended");
    }

    @Override
    public void stopped(long workerId, @Nullable String runs) throws SQLException {
        reportedRuns = runs;
        enter("stopped");
    }

    @Override
    public void logStarts(long workerId, String text, Duration most) throws SQLException {
        enter("logStarts");
        startLogTimeout = most;
        startedLeases.put(workerId, text);
    }

    @Override
    public void prune(Retention retention) throws SQLException {
        enter("prune");
    }

    private Grant grant(Row row, ClaimRequest request) {
        row.state = JobState.RUNNING;
        row.attempt++;
        row.token++;
        row.leasedBy = request.workerId();
        row.prefetched = request.ahead() || row.attempt > 1 || row.maxAttempts == 1;
        row.expiresNanos =
                System.nanoTime() + aheadNanos.get() + request.lease().toNanos();
        return new Grant(Job.builder(row.id, "greet", request.queue())
                .state(JobState.RUNNING)
                .attempt(row.attempt)
                .maxAttempts(row.maxAttempts)
                .leaseToken(row.token)
                .payload(row.payload)
                .key(key)
                .batch(batch)
                .build());
    }

    private final class Rows implements ClaimStrategy {
        private final RunMode mode;

        Rows(RunMode mode) {
            this.mode = mode;
        }

        @Override
        public boolean claimsAtEnqueue() {
            return true;
        }

        @Override
        public Set<Lease> withoutRows(Collection<Lease> missing) {
            return missing.stream()
                    .filter(lease -> withoutRows.remove(lease.jobId()))
                    .collect(Collectors.toSet());
        }

        @Override
        public List<Grant> claim(ClaimRequest request) throws SQLException {
            enter("claim");
            enter("claim from " + request.queue());
            if (request.limit() > 100) {
                enter("claim more than 100");
            }
            synchronized (FakeStore.this) {
                claims.add(request);
                List<Grant> grants = new ArrayList<>();
                for (Row row : live.values()) {
                    if (row.state == JobState.AVAILABLE && grants.size() < request.limit()) {
                        grants.add(grant(row, request));
                    }
                }
                if (!grants.isEmpty()) {
                    enter("reply to claim"); // it has committed
                }
                return grants;
            }
        }

        @Override
        public Settled settle(List<Settlement> runs) throws SQLException {
            enter("settle");
            if (runs.size() > 10) {
                enter("settle more than 10");
            }
            for (Settlement run : runs) {
                enter("settle " + run.lease().jobId());
                if (run.verdict() instanceof Verdict.Release) {
                    enter("give back");
                } else if (run.verdict() instanceof Verdict.Completed) {
                    enter("complete " + run.lease().jobId());
                }
            }
            Settled settled = apply(runs);
            enter("reply to settle"); // it has committed
            return settled;
        }

        @Override
        public Renewal renew(Collection<LeaseRenewal> leases, Duration length) throws SQLException {
            enter("renew");
            synchronized (FakeStore.this) {
                Set<Lease> renewed = new HashSet<>();
                Set<Lease> taken = new HashSet<>();
                Set<Lease> gone = new HashSet<>();
                Set<Lease> cancelRequested = new HashSet<>();
                for (LeaseRenewal one : leases) {
                    Row row = live.get(one.lease().jobId());
                    if (row == null || row.state != JobState.RUNNING) {
                        gone.add(one.lease());
                    } else if (row.token != one.lease().token()) {
                        taken.add(one.lease());
                    } else if (!locked.contains(row.id)) {
                        row.expiresNanos = System.nanoTime() + aheadNanos.get() + length.toNanos();
                        row.progress = one.progress() == null ? row.progress : one.progress();
                        renewed.add(one.lease());
                        if (row.cancelRequested) {
                            cancelRequested.add(one.lease());
                        }
                    }
                }
                return new Renewal(renewed, taken, gone, cancelRequested);
            }
        }

        @Override
        public Set<Lease> release(Collection<Lease> unstarted) throws SQLException {
            enter("release");
            return apply(unstarted.stream()
                            .map(lease -> new Settlement(lease, new Verdict.Release()))
                            .toList())
                    .accepted();
        }

        @Override
        public RunMode mode() {
            return mode;
        }

        @Override
        public Duration lease(Duration configured) {
            return leaseLength.apply(configured);
        }

        @Override
        public void tidy() throws SQLException {
            enter("tidy");
        }

        @Override
        public long lost() {
            return 1;
        }
    }
}
