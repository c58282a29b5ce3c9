package dev.pawl.internal.quota;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.ConcurrencyKeys.KeyRequest;
import dev.pawl.internal.store.JobKey;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.Mutex;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limits that concern one worker. Without limits, this costs nothing. Thread-safe. The only clock is {@link System#nanoTime}, and the
 * lifetime of an allocation begins just before its request is sent.
 */
public final class LocalLimits implements Admission {
    private static final int MAX_KNOWN = 10_000;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ToIntFunction<Subject> handlers;
    private final Predicate<String> queues;
    private final Set<String> kinds;
    private final Mutex lock;
    private final Condition requestDue;
    private final Map<Subject, LocalLimit> limits = new HashMap<>();
    private final Map<Subject, Report> reports = new HashMap<>();
    private final Map<List<LocalLimit>, SharedLimiter> limiters = new HashMap<>();
    private final KeyLimits keys = new KeyLimits();
    private final ResponseTime responseTime = new ResponseTime();
    private final Map<String, Map<String, SharedLimiter>> known = new ConcurrentHashMap<>();
    private volatile boolean none = true;
    /** Queues whose keys have a rate. */
    private volatile Set<String> keyed = Set.of();
    /** Whether some limit is or was paused, and no job has shown yet that its resource is available again. */
    private volatile boolean trying;

    private volatile long idleNanos = System.nanoTime();
    private boolean closed;
    private long limiterChanges;

    /**
     * @param handlers how many jobs of a queue or kind the worker can run at once now
     * @param queues from which it may claim, even if their names are not known yet: a limit applies from the first
     *     claim on
     * @param kinds that it handles
     */
    public LocalLimits(ToIntFunction<Subject> handlers, Predicate<String> queues, Set<String> kinds) {
        this(handlers, queues, kinds, new Mutex());
    }

    /**
     * @param handlers how many jobs of a queue or kind the worker can run at once now
     * @param queues from which it may claim, even if their names are not known yet: a limit applies from the first
     *     claim on
     * @param kinds that it handles
     * @param lock of the waiting jobs
     */
    public LocalLimits(ToIntFunction<Subject> handlers, Predicate<String> queues, Set<String> kinds, Mutex lock) {
        this.handlers = handlers;
        this.queues = queues;
        this.kinds = kinds;
        this.lock = lock;
        this.requestDue = lock.newCondition();
    }

    /**
     * A job's report of an unavailable resource.
     *
     * @param length how long to pause other jobs
     * @param reason for people
     */
    public record Report(Duration length, String reason) {}

    @Override
    public void idle() {
        idleNanos = System.nanoTime();
    }

    @Override
    public Mutex lock() {
        return lock;
    }

    @Override
    public boolean none() {
        return none;
    }

    /**
     * @param limited the limits that exist now
     * @return whether some of them are new to this worker
     */
    public boolean limited(Set<Subject> limited) {
        if (none && limited.isEmpty()) {
            return false;
        }
        lock.lock();
        try (lock) {
            boolean news = false;
            for (Subject subject : limited) {
                if (concerns(subject) && !limits.containsKey(subject)) {
                    limits.put(subject, new LocalLimit(subject, System.nanoTime()));
                    news = true;
                }
            }
            if (limits.values()
                    .removeIf(localLimit -> !localLimit.isLimited() && !limited.contains(localLimit.subject()))) {
                forgetLimiters();
            }
            if (news) {
                forgetLimiters();
                requestDue.signalAll();
            }
            keyed = limited.stream()
                    .filter(each -> each.of() == Subject.Of.KEYS && queues.test(each.name()))
                    .map(Subject::name)
                    .collect(Collectors.toUnmodifiableSet());
            if (keys.rated(keyed)) {
                news = true;
                limiterChanges++;
            }
            none = limits.isEmpty() && !keys.any();
            return news;
        }
    }

    private boolean concerns(Subject subject) {
        return switch (subject.of()) {
            case QUEUE -> queues.test(subject.name());
            case KIND -> kinds.contains(subject.name());
            case KEYS -> false; // each key has a limit of its own
        };
    }

    @Override
    public long limiterChanges() {
        return limiterChanges;
    }

    /** Forgets limiters. A job that has acquired a forgotten limiter still uses and releases it. */
    private void forgetLimiters() {
        limiterChanges++;
        limiters.clear();
        known.clear();
        keys.forgetLimiters();
    }

    @Override
    public @Nullable SharedLimiter limiter(Job job) {
        if (!keyed.contains(job.queue())) {
            return limiter(job.queue(), job.kind());
        }
        String key = job.key().orElse(null);
        return key == null ? limiter(job.queue(), job.kind()) : limiter(new JobKey(job.queue(), key), job.kind());
    }

    private SharedLimiter limiter(JobKey key, String kind) {
        lock.lock();
        try (lock) {
            return keys.limiter(key, kind, localLimit -> {
                List<LocalLimit> all = ofQueueAndKind(key.queue(), kind);
                all.add(localLimit);
                return new SharedLimiter(this, all);
            });
        }
    }

    private List<LocalLimit> ofQueueAndKind(String queue, String kind) {
        List<LocalLimit> all = new ArrayList<>(3);
        add(all, limits.get(Subject.queue(queue)));
        add(all, limits.get(Subject.kind(kind)));
        return all;
    }

    /**
     * @param queue of a job
     * @param kind of the job
     * @return the limiter for such jobs; null if there are no limits for them
     */
    public @Nullable SharedLimiter limiter(String queue, String kind) {
        if (none) {
            return null;
        }
        Map<String, SharedLimiter> ofQueue = known.get(queue);
        SharedLimiter limiter = ofQueue == null ? null : ofQueue.get(kind);
        if (limiter == null) {
            limiter = find(queue, kind);
        }
        return limiter.isOpen() ? null : limiter;
    }

    private SharedLimiter find(String queue, String kind) {
        lock.lock();
        try (lock) {
            List<LocalLimit> all = ofQueueAndKind(queue, kind);
            SharedLimiter limiter = limiters.computeIfAbsent(all, each -> new SharedLimiter(this, each));
            if (known.size() > MAX_KNOWN) { // queues that match a pattern come and go
                known.clear();
            }
            known.computeIfAbsent(queue, each -> new ConcurrentHashMap<>()).put(kind, limiter);
            return limiter;
        }
    }

    private static void add(List<LocalLimit> all, @Nullable LocalLimit localLimit) {
        if (localLimit != null) {
            all.add(localLimit);
        }
    }

    @Override
    public Claims plan(String queue, List<String> kinds, int limit, int ahead) {
        lock.lock();
        try (lock) {
            return new Plan(queue, kinds, limit, ahead).claims();
        }
    }

    /** Plans the claims of a queue. Used under the lock. */
    private final class Plan {
        private final String queue;
        private final List<String> kinds;
        private final int limit;
        private final int ahead;
        private final long now = System.nanoTime();
        private final List<String> free = new ArrayList<>();
        private final Map<String, Integer> rooms = new HashMap<>();
        private boolean isAll = true;

        Plan(String queue, List<String> kinds, int limit, int ahead) {
            this.queue = queue;
            this.kinds = kinds;
            this.limit = limit;
            this.ahead = ahead;
        }

        Claims claims() {
            return new Claims(parts(), isAll);
        }

        private List<Part> parts() {
            Subject ofQueue = Subject.queue(queue);
            int ofAll = room(ofQueue);
            int most = Math.min(limit, ofAll);
            if (most == 0) {
                return List.of();
            }
            List<Subject> usedUp =
                    new ArrayList<>(); // limits whose room a full claim uses up, after which there may be more jobs
            if (ofAll == most) {
                usedUp.add(ofQueue);
            }
            int least = most;
            for (String kind : kinds) {
                int room = room(Subject.kind(kind));
                if (room >= most) {
                    free.add(kind);
                    if (room == most) {
                        usedUp.add(Subject.kind(kind));
                    }
                } else if (room > 0) {
                    rooms.put(kind, room);
                    least = Math.min(least, room);
                }
            }
            List<Part> parts = new ArrayList<>();
            if (!free.isEmpty()) {
                parts.add(new Part(List.copyOf(free), most, false, List.copyOf(usedUp)));
            } else if (!rooms.isEmpty()) { // one claim covers all these kinds, so the smallest room of a kind bounds it
                List<Subject> all = new ArrayList<>(usedUp);
                rooms.keySet().forEach(kind -> all.add(Subject.kind(kind)));
                parts.add(new Part(List.copyOf(rooms.keySet()), least, false, all));
            }
            if (!free.isEmpty() || rooms.size() > 1) {
                rooms.forEach((kind, room) ->
                        parts.add(new Part(List.of(kind), Math.min(most, room), true, List.of(Subject.kind(kind)))));
            }
            return parts;
        }

        private int room(Subject subject) {
            LocalLimit localLimit = limits.get(subject);
            int room =
                    localLimit == null ? Integer.MAX_VALUE : localLimit.room(ahead, handlers.applyAsInt(subject), now);
            isAll &= room > 0;
            return room;
        }
    }

    @Override
    public void claimed(Part part, boolean all) {
        lock.lock();
        try (lock) {
            for (Subject subject : part.subjects()) {
                LocalLimit localLimit = limits.get(subject);
                if (localLimit != null && localLimit.claimed(all)) {
                    requestDue.signalAll();
                }
            }
        }
    }

    long acquire(SharedLimiter limiter, int cost) {
        lock.lock();
        try (lock) {
            long now = System.nanoTime();
            if (freeNow(limiter, cost, now) == 0) {
                return Limiter.REFUSED;
            }
            long end = Limiter.ANY_TIME;
            boolean requests = false;
            for (LocalLimit localLimit : limiter.limits()) {
                long one = localLimit.acquire(cost, now);
                requests |= localLimit.isShortOfStarts(now);
                if (one != Limiter.ANY_TIME && (end == Limiter.ANY_TIME || one - end < 0)) {
                    end = one;
                }
            }
            if (requests) {
                requestDue.signalAll();
            }
            return end;
        }
    }

    /** Uses no stream, because it is called for every job. */
    private static int freeNow(SharedLimiter limiter, int cost, long now) {
        int free = Integer.MAX_VALUE;
        for (LocalLimit localLimit : limiter.limits()) {
            free = Math.min(free, localLimit.free(cost, now));
        }
        return free;
    }

    @Override
    public boolean anyRated() {
        lock.lock();
        try (lock) {
            return keys.any() || limits.values().stream().anyMatch(LocalLimit::isRated);
        }
    }

    boolean release(SharedLimiter limiter) {
        lock.lock();
        try (lock) {
            boolean more = false;
            long now = System.nanoTime();
            for (LocalLimit localLimit : limiter.limits()) {
                more |= localLimit.release(now);
                if (localLimit.isReturning()) {
                    requestDue.signalAll();
                }
            }
            return more;
        }
    }

    int free(SharedLimiter limiter, int cost) {
        lock.lock();
        try (lock) {
            return freeNow(limiter, cost, System.nanoTime());
        }
    }

    int near(SharedLimiter limiter, int cost) {
        lock.lock();
        try (lock) {
            long now = System.nanoTime();
            int near = Integer.MAX_VALUE;
            for (LocalLimit localLimit : limiter.limits()) {
                near = Math.min(near, localLimit.near(cost, now));
            }
            return near;
        }
    }

    int maxCost(SharedLimiter limiter) {
        lock.lock();
        try (lock) {
            int maxCost = 1;
            for (LocalLimit localLimit : limiter.limits()) {
                maxCost = localLimit.anyCostly() ? Math.max(maxCost, localLimit.maxCost(System.nanoTime())) : maxCost;
            }
            return maxCost > 1 && freeNow(limiter, maxCost, System.nanoTime()) > 0 ? maxCost : 1;
        }
    }

    int soon(SharedLimiter limiter) {
        lock.lock();
        try (lock) {
            long now = System.nanoTime();
            return limiter.limits().stream()
                    .mapToInt(localLimit -> localLimit.soon(now))
                    .min()
                    .orElse(Integer.MAX_VALUE);
        }
    }

    void waiting(SharedLimiter limiter, int cost, int jobs) {
        lock.lock();
        try (lock) {
            boolean requests = false;
            long now = System.nanoTime();
            for (LocalLimit localLimit : limiter.limits()) {
                localLimit.waiting(cost, jobs, now);
                requests |= jobs > 0 && localLimit.isRated();
            }
            if (requests) {
                requestDue.signalAll();
            }
        }
    }

    boolean isExhausted(SharedLimiter limiter) {
        lock.lock();
        try (lock) {
            long now = System.nanoTime();
            return limiter.limits().stream().anyMatch(localLimit -> localLimit.isExhausted(now));
        }
    }

    /**
     * Called when a job reports that a resource of its kind is unavailable. From now on this worker starts no job of the kind; other
     * workers follow when they read the report.
     *
     * @param kind of the job
     * @param wait how long to pause the kind
     * @param reason for people
     */
    public void unavailable(String kind, Duration wait, String reason) {
        lock.lock();
        try (lock) {
            Subject subject = Subject.kind(kind);
            long now = System.nanoTime();
            LocalLimit localLimit = limits.get(subject);
            if (localLimit == null) {
                localLimit = new LocalLimit(subject, now);
                limits.put(subject, localLimit);
                forgetLimiters();
                none = false;
            }
            localLimit.unavailable(now + wait.toNanos());
            trying = true;
            reports.putIfAbsent(subject, new Report(wait, reason));
            requestDue.signalAll();
        }
    }

    /**
     * Called when a job has ended without reporting an unavailable resource.
     *
     * @param queue of the job
     * @param kind of the job
     */
    public void available(String queue, String kind) {
        if (!trying) {
            return;
        }
        lock.lock();
        try (lock) {
            for (Subject subject : List.of(Subject.queue(queue), Subject.kind(kind))) {
                LocalLimit localLimit = limits.get(subject);
                if (localLimit != null && localLimit.worksAgain(System.nanoTime())) {
                    requestDue.signalAll();
                }
            }
        }
    }

    @Override
    public void scaled() {
        lock.lock();
        try (lock) {
            limits.values().forEach(localLimit -> localLimit.scaled(handlers.applyAsInt(localLimit.subject())));
            requestDue.signalAll();
        }
    }

    /** Ends all requests. */
    public void close() {
        lock.lock();
        try (lock) {
            closed = true;
            requestDue.signalAll();
        }
    }

    /**
     * A due request, with a report to write first.
     *
     * @param request the request
     * @param report to write before the request; null for none
     * @param worksAgain whether to report that resources are available
     */
    public record Due(LimitSource.Request request, @Nullable Report report, boolean worksAgain) {}

    /**
     * Waits until a request is due, or this object is closed.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitAnyDue() throws InterruptedException {
        lock.lock();
        try (lock) {
            while (!closed) {
                long now = System.nanoTime();
                long wait = reports.isEmpty() ? keys.untilRequest(now) : 0;
                for (LocalLimit localLimit : limits.values()) {
                    wait = Math.min(wait, localLimit.untilRequest(now));
                }
                if (wait <= 0) {
                    return;
                } else if (wait == Long.MAX_VALUE) {
                    requestDue.await();
                } else {
                    long unused = requestDue.awaitNanos(wait);
                }
            }
        }
    }

    /** {@return the due requests, which are removed; none if this object is closed} */
    public List<Due> takeDue() {
        lock.lock();
        try (lock) {
            return closed ? List.of() : due(System.nanoTime());
        }
    }

    /**
     * Due requests of keys.
     *
     * @param queue of the keys
     * @param requests one per key
     */
    public record DueKeyRequests(String queue, List<KeyRequest> requests) {}

    /**
     * @param most maximum number of keys in one request
     * @return the due requests of keys, which are removed
     */
    public List<DueKeyRequests> takeDueKeyRequests(int most) {
        if (keyed.isEmpty()) {
            return List.of();
        }
        lock.lock();
        try (lock) {
            long now = System.nanoTime();
            return closed ? List.of() : keys.due(most, now - idleNanos < IDLE_NANOS, responseTime.goodFor(), now);
        }
    }

    /**
     * @param queue of the keys
     * @param allocated the allocations by key
     * @param sent when they were requested, by {@link System#nanoTime}
     * @return whether more jobs may start than before
     */
    public boolean allocated(String queue, Map<String, Allocation> allocated, long sent) {
        lock.lock();
        try (lock) {
            boolean more = false;
            long now = System.nanoTime();
            responseTime.received(now - sent);
            for (Map.Entry<String, Allocation> each : allocated.entrySet()) {
                LocalLimit localLimit = keys.localLimit(new JobKey(queue, each.getKey()));
                more |= localLimit != null && localLimit.allocated(each.getValue(), 1, sent, now);
            }
            return more;
        }
    }

    /**
     * @param job that cannot start for a while
     * @return the time until its key's rate allows a start; zero if something else prevents the start, or if the time
     *     is short
     */
    public Duration untilStarts(Job job) {
        String key = job.key().orElse(null);
        if (key == null || keyed.isEmpty()) {
            return Duration.ZERO;
        }
        lock.lock();
        try (lock) {
            LocalLimit localLimit = keys.localLimit(new JobKey(job.queue(), key));
            return localLimit == null ? Duration.ZERO : Duration.ofNanos(localLimit.untilStarts(System.nanoTime()));
        }
    }

    /** {@return whether no report or return of permits is pending, and permits of all limits were requested after this time} */
    public boolean isSettledSince(long nanos) {
        if (none) {
            return true;
        }
        lock.lock();
        try (lock) {
            return reports.isEmpty()
                    && limits.values().stream().allMatch(localLimit -> localLimit.isSettledSince(nanos));
        }
    }

    private List<Due> due(long now) {
        List<Due> due = new ArrayList<>();
        boolean mayRunMore = now - idleNanos < IDLE_NANOS;
        for (LocalLimit localLimit : limits.values()) {
            Report report = reports.remove(localLimit.subject());
            if (report != null || localLimit.untilRequest(now) <= 0) {
                due.add(new Due(
                        localLimit
                                .request(handlers.applyAsInt(localLimit.subject()), mayRunMore, now)
                                .goodFor(responseTime.goodFor()),
                        report,
                        localLimit.takeWorksAgain()));
            }
        }
        return due;
    }

    /**
     * @param subject the limit
     * @param allocated its allocation
     * @param sent when it was requested, by {@link System#nanoTime}
     * @return whether more jobs may start than before
     */
    public boolean allocated(Subject subject, Allocation allocated, long sent) {
        lock.lock();
        try (lock) {
            LocalLimit localLimit = limits.get(subject);
            long now = System.nanoTime();
            responseTime.received(now - sent);
            boolean more =
                    localLimit != null && localLimit.allocated(allocated, handlers.applyAsInt(subject), sent, now);
            trying = limits.values().stream().anyMatch(LocalLimit::isTrying);
            return more;
        }
    }

    /**
     * Schedules a failed report again, unless there is a newer report.
     *
     * @param due the failed request
     */
    public void notReported(Due due) {
        lock.lock();
        try (lock) {
            if (due.report() != null) {
                reports.putIfAbsent(due.request().subject(), due.report());
            }
            LocalLimit localLimit = limits.get(due.request().subject());
            if (due.worksAgain() && localLimit != null) {
                localLimit.worksAgainNotReported(System.nanoTime());
            }
        }
    }
}
