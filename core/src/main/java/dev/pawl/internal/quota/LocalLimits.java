package dev.pawl.internal.quota;

import dev.pawl.Job;
import dev.pawl.internal.store.KeyTurns.JobKey;
import dev.pawl.internal.store.KeyTurns.KeyAsk;
import dev.pawl.internal.store.LimitSource;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The limits that concern one worker. Where there are none, nothing here costs anything. Thread-safe; the only clock is
 * {@link System#nanoTime}, and what was dealt is good for a time counted from before it was asked for.
 */
public final class LocalLimits {
    private static final int MOST_KNOWN = 10_000;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ToIntFunction<Subject> handlers;
    private final Predicate<String> queues;
    private final Set<String> kinds;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition requestDue = lock.newCondition();
    private final Map<Subject, LocalLimit> localLimits = new HashMap<>();
    private final Map<Subject, Report> reports = new HashMap<>();
    private final Map<List<LocalLimit>, Limiter> limiters = new HashMap<>();
    private final KeyLimits keys = new KeyLimits();
    private final ResponseTime answers = new ResponseTime();
    private final Map<String, Map<String, Limiter>> known = new ConcurrentHashMap<>();
    private volatile boolean none = true;
    /** Queues whose keys have a rate. */
    private volatile Set<String> keyed = Set.of();
    /** Whether some jobs are or were held back, and nobody has found out whether the reason is gone. */
    private volatile boolean trying;

    private volatile long idleNanos = System.nanoTime();
    private boolean closed;
    private long limiterChanges;

    /**
     * @param handlers how many jobs of a queue or kind the worker can run at once now
     * @param queues from which it may claim, also if it does not know of them yet: a limit holds from the first claim on
     * @param kinds that it handles
     */
    public LocalLimits(ToIntFunction<Subject> handlers, Predicate<String> queues, Set<String> kinds) {
        this.handlers = handlers;
        this.queues = queues;
        this.kinds = kinds;
    }

    /**
     * What a job has found out.
     *
     * @param length for how long to hold the others back
     * @param reason for people
     */
    public record Report(Duration length, String reason) {}

    /** The worker has an idle handler, and claims jobs for it. */
    public void idle() {
        idleNanos = System.nanoTime();
    }

    /** {@return its lock, to guard what waits for limits, too: a job that begins or ends needs both, and takes one lock only} */
    public ReentrantLock lock() {
        return lock;
    }

    /** {@return whether there are none, so that every job may start} */
    public boolean none() {
        return none;
    }

    /**
     * @param limited what has limits now
     * @return whether some of them are new here
     */
    public boolean limited(Set<Subject> limited) {
        if (none && limited.isEmpty()) {
            return false;
        }
        lock.lock();
        try {
            boolean news = false;
            for (Subject subject : limited) {
                if (concerns(subject) && !localLimits.containsKey(subject)) {
                    localLimits.put(subject, new LocalLimit(subject, System.nanoTime()));
                    news = true;
                }
            }
            if (localLimits.values().removeIf(localLimit -> !localLimit.isLimited() && !limited.contains(localLimit.subject()))) {
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
            none = localLimits.isEmpty() && !keys.any();
            return news;
        } finally {
            lock.unlock();
        }
    }

    private boolean concerns(Subject subject) {
        return switch (subject.of()) {
            case QUEUE -> queues.test(subject.name());
            case KIND -> kinds.contains(subject.name());
            case KEYS -> false; // each key has one of its own
        };
    }

    /** {@return how often jobs have got other gates than before} Guarded by {@link #lock()}. */
    public long limiterChanges() {
        return limiterChanges;
    }

    /** What is in use stays so: a job leaves the gate by which it has entered. */
    private void forgetLimiters() {
        limiterChanges++;
        limiters.clear();
        known.clear();
        keys.forgetLimiters();
    }

    /**
     * @param job that waits
     * @return what it must pass to start; null for nothing
     */
    public @Nullable Limiter limiter(Job job) {
        if (!keyed.contains(job.queue())) {
            return limiter(job.queue(), job.kind());
        }
        String key = job.key().orElse(null);
        return key == null ? limiter(job.queue(), job.kind()) : limiter(new JobKey(job.queue(), key), job.kind());
    }

    private Limiter limiter(JobKey key, String kind) {
        lock.lock();
        try {
            return keys.limiter(key, kind, localLimit -> {
                List<LocalLimit> all = ofQueueAndKind(key.queue(), kind);
                all.add(localLimit);
                return new Limiter(this, all);
            });
        } finally {
            lock.unlock();
        }
    }

    private List<LocalLimit> ofQueueAndKind(String queue, String kind) {
        List<LocalLimit> all = new ArrayList<>(3);
        add(all, localLimits.get(Subject.queue(queue)));
        add(all, localLimits.get(Subject.kind(kind)));
        return all;
    }

    /**
     * @param queue of a job
     * @param kind of the job
     * @return what it must pass to start; null for nothing
     */
    public @Nullable Limiter limiter(String queue, String kind) {
        if (none) {
            return null;
        }
        Map<String, Limiter> ofQueue = known.get(queue);
        Limiter limiter = ofQueue == null ? null : ofQueue.get(kind);
        if (limiter == null) {
            limiter = find(queue, kind);
        }
        return limiter.isOpen() ? null : limiter;
    }

    private Limiter find(String queue, String kind) {
        lock.lock();
        try {
            List<LocalLimit> all = ofQueueAndKind(queue, kind);
            Limiter limiter = limiters.computeIfAbsent(all, each -> new Limiter(this, each));
            if (known.size() > MOST_KNOWN) { // queues by a pattern come and go
                known.clear();
            }
            known.computeIfAbsent(queue, each -> new ConcurrentHashMap<>()).put(kind, limiter);
            return limiter;
        } finally {
            lock.unlock();
        }
    }

    private static void add(List<LocalLimit> all, @Nullable LocalLimit localLimit) {
        if (localLimit != null) {
            all.add(localLimit);
        }
    }

    /**
     * A part of a claim.
     *
     * @param kinds to claim
     * @param limit how many at most
     * @param ofRows whether only jobs with rows of their own are to be claimed: to look for these kinds in a lane would
     *     push the others out of it
     * @param subjects whose room the limit is; whether the claim was full tells them whether there are more
     */
    public record Part(List<String> kinds, int limit, boolean ofRows, List<Subject> subjects) {
        /**
         * @param most how many at most
         * @return the same for fewer jobs
         */
        public Part to(int most) {
            return most == limit ? this : new Part(kinds, most, ofRows, subjects);
        }
    }

    /**
     * What to claim from a queue.
     *
     * @param parts in this order, and together no more than what was asked for
     * @param isAll whether no limit kept anything from being claimed at all
     */
    public record Claims(List<Part> parts, boolean isAll) {}

    /**
     * Tells what to claim from a queue.
     *
     * @param queue the queue
     * @param kinds that the worker can handle now
     * @param limit how many jobs at most
     * @param ahead how many jobs the handlers get through in a moment
     * @return the claims
     */
    public Claims plan(String queue, List<String> kinds, int limit, int ahead) {
        lock.lock();
        try {
            return new Plan(queue, kinds, limit, ahead).claims();
        } finally {
            lock.unlock();
        }
    }

    /** One thread has the lock. */
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
            List<Subject> usedUp = new ArrayList<>(); // if there are as many jobs: then there may be more
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
            } else if (!rooms.isEmpty()) { // as many of all of them as there may be of each
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
            LocalLimit localLimit = localLimits.get(subject);
            int room = localLimit == null ? Integer.MAX_VALUE : localLimit.room(ahead, handlers.applyAsInt(subject), now);
            isAll &= room > 0;
            return room;
        }
    }

    /**
     * @param part that was claimed
     * @param all whether there were as many jobs as it asked for
     */
    public void claimed(Part part, boolean all) {
        lock.lock();
        try {
            for (Subject subject : part.subjects()) {
                LocalLimit localLimit = localLimits.get(subject);
                if (localLimit != null && localLimit.claimed(all)) {
                    requestDue.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    long acquire(Limiter limiter, int cost) {
        lock.lock();
        try {
            long now = System.nanoTime();
            if (freeNow(limiter, cost, now) == 0) {
                return Limiter.REFUSED;
            }
            long end = Limiter.ANY_TIME;
            boolean requests = false;
            for (LocalLimit localLimit : limiter.localLimits()) {
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
        } finally {
            lock.unlock();
        }
    }

    /** On the path of every job, so without a stream. */
    private static int freeNow(Limiter limiter, int cost, long now) {
        int free = Integer.MAX_VALUE;
        for (LocalLimit localLimit : limiter.localLimits()) {
            free = Math.min(free, localLimit.free(cost, now));
        }
        return free;
    }

    /** {@return whether jobs may have to wait for their turns, however quick the handlers are} */
    public boolean anyRated() {
        lock.lock();
        try {
            return keys.any() || localLimits.values().stream().anyMatch(LocalLimit::isRated);
        } finally {
            lock.unlock();
        }
    }

    boolean release(Limiter limiter) {
        lock.lock();
        try {
            boolean more = false;
            long now = System.nanoTime();
            for (LocalLimit localLimit : limiter.localLimits()) {
                more |= localLimit.release(now);
                if (localLimit.givesBack()) {
                    requestDue.signalAll();
                }
            }
            return more;
        } finally {
            lock.unlock();
        }
    }

    int free(Limiter limiter, int cost) {
        lock.lock();
        try {
            return freeNow(limiter, cost, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    int near(Limiter limiter, int cost) {
        lock.lock();
        try {
            long now = System.nanoTime();
            int near = Integer.MAX_VALUE;
            for (LocalLimit localLimit : limiter.localLimits()) {
                near = Math.min(near, localLimit.near(cost, now));
            }
            return near;
        } finally {
            lock.unlock();
        }
    }

    int maxCost(Limiter limiter) {
        lock.lock();
        try {
            int maxCost = 1;
            for (LocalLimit localLimit : limiter.localLimits()) {
                maxCost = localLimit.anyCostly() ? Math.max(maxCost, localLimit.maxCost(System.nanoTime())) : maxCost;
            }
            return maxCost > 1 && freeNow(limiter, maxCost, System.nanoTime()) > 0 ? maxCost : 1;
        } finally {
            lock.unlock();
        }
    }

    int soon(Limiter limiter) {
        lock.lock();
        try {
            long now = System.nanoTime();
            return limiter.localLimits().stream()
                    .mapToInt(localLimit -> localLimit.soon(now))
                    .min()
                    .orElse(Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    void waiting(Limiter limiter, int cost, int jobs) {
        lock.lock();
        try {
            boolean requests = false;
            long now = System.nanoTime();
            for (LocalLimit localLimit : limiter.localLimits()) {
                localLimit.waiting(cost, jobs, now);
                requests |= jobs > 0 && localLimit.isRated();
            }
            if (requests) {
                requestDue.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isExhausted(Limiter limiter) {
        lock.lock();
        try {
            long now = System.nanoTime();
            return limiter.localLimits().stream().anyMatch(localLimit -> localLimit.isExhausted(now));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A job has found that what its kind needs is not available. No other starts here from now on, and nowhere as soon as
     * others know.
     *
     * @param kind of the job
     * @param wait for how long
     * @param reason for people
     */
    public void unavailable(String kind, Duration wait, String reason) {
        lock.lock();
        try {
            Subject subject = Subject.kind(kind);
            long now = System.nanoTime();
            LocalLimit localLimit = localLimits.get(subject);
            if (localLimit == null) {
                localLimit = new LocalLimit(subject, now);
                localLimits.put(subject, localLimit);
                forgetLimiters();
                none = false;
            }
            localLimit.unavailable(now + wait.toNanos());
            trying = true;
            reports.putIfAbsent(subject, new Report(wait, reason));
            requestDue.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A job has ended without saying that something is not available.
     *
     * @param queue of the job
     * @param kind of the job
     */
    public void available(String queue, String kind) {
        if (!trying) {
            return;
        }
        lock.lock();
        try {
            for (Subject subject : List.of(Subject.queue(queue), Subject.kind(kind))) {
                LocalLimit localLimit = localLimits.get(subject);
                if (localLimit != null && localLimit.worksAgain(System.nanoTime())) {
                    requestDue.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The worker can run more or fewer jobs at once now. */
    public void scaled() {
        lock.lock();
        try {
            localLimits.values().forEach(localLimit -> localLimit.scaled(handlers.applyAsInt(localLimit.subject())));
            requestDue.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Asks for nothing more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            requestDue.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Something to ask the database, or to tell it first.
     *
     * @param ask what to ask for
     * @param report what to tell before that; null for nothing
     * @param worksAgain whether to tell that its jobs find everything available
     */
    public record Due(LimitSource.Request request, @Nullable Report report, boolean worksAgain) {}

    /**
     * Waits until something is due, or it is closed.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public void awaitAnyDue() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                long now = System.nanoTime();
                long wait = reports.isEmpty() ? keys.untilRequest(now) : 0;
                for (LocalLimit localLimit : localLimits.values()) {
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
        } finally {
            lock.unlock();
        }
    }

    /** {@return what to ask now; nothing when it is closed} */
    public List<Due> takeDue() {
        lock.lock();
        try {
            return closed ? List.of() : due(System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /**
     * What to ask for some keys.
     *
     * @param queue of the keys
     * @param asks for each
     */
    public record DueKeys(String queue, List<KeyAsk> requests) {}

    /**
     * @param most of one answer
     * @return for which keys to ask now
     */
    public List<DueKeys> takeDueKeys(int most) {
        if (keyed.isEmpty()) {
            return List.of();
        }
        lock.lock();
        try {
            long now = System.nanoTime();
            return closed ? List.of() : keys.due(most, now - idleNanos < IDLE_NANOS, answers.goodFor(), now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param queue of the keys that were asked for
     * @param dealt the answers
     * @param sent when they were asked for
     * @return whether more may start than before
     */
    public boolean allocated(String queue, Map<String, LimitSource.Allocation> allocated, long sent) {
        lock.lock();
        try {
            boolean more = false;
            long now = System.nanoTime();
            answers.heard(now - sent);
            for (Map.Entry<String, LimitSource.Allocation> each : allocated.entrySet()) {
                LocalLimit localLimit = keys.localLimit(new JobKey(queue, each.getKey()));
                more |= localLimit != null && localLimit.allocated(each.getValue(), 1, sent, now);
            }
            return more;
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param job that will not start for a while
     * @return how long the rate of its key keeps it from that; zero if it is something else, or not long
     */
    public Duration untilStarts(Job job) {
        String key = job.key().orElse(null);
        if (key == null || keyed.isEmpty()) {
            return Duration.ZERO;
        }
        lock.lock();
        try {
            LocalLimit localLimit = keys.localLimit(new JobKey(job.queue(), key));
            return localLimit == null ? Duration.ZERO : Duration.ofNanos(localLimit.untilStarts(System.nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether nothing waits to be told or handed back, and all was asked since that moment} */
    public boolean isSettledSince(long nanos) {
        if (none) {
            return true;
        }
        lock.lock();
        try {
            return reports.isEmpty() && localLimits.values().stream().allMatch(localLimit -> localLimit.isSettledSince(nanos));
        } finally {
            lock.unlock();
        }
    }

    private List<Due> due(long now) {
        List<Due> due = new ArrayList<>();
        boolean mayRunMore = now - idleNanos < IDLE_NANOS;
        for (LocalLimit localLimit : localLimits.values()) {
            Report report = reports.remove(localLimit.subject());
            if (report != null || localLimit.untilRequest(now) <= 0) {
                due.add(new Due(
                        localLimit.request(handlers.applyAsInt(localLimit.subject()), mayRunMore, now)
                                .goodFor(answers.goodFor()),
                        report,
                        localLimit.takeWorksAgain()));
            }
        }
        return due;
    }

    /**
     * @param subject that was asked about
     * @param dealt the answer
     * @param sent when it was asked
     * @return whether more may start than before
     */
    public boolean allocated(Subject subject, LimitSource.Allocation allocated, long sent) {
        lock.lock();
        try {
            LocalLimit localLimit = localLimits.get(subject);
            long now = System.nanoTime();
            answers.heard(now - sent);
            boolean more = localLimit != null && localLimit.allocated(allocated, handlers.applyAsInt(subject), sent, now);
            trying = localLimits.values().stream().anyMatch(LocalLimit::isTrying);
            return more;
        } finally {
            lock.unlock();
        }
    }

    /**
     * It could not be told; unless there is news of the same, it is told again.
     *
     * @param due what was to be told
     */
    public void notReported(Due due) {
        lock.lock();
        try {
            if (due.report() != null) {
                reports.putIfAbsent(due.request().subject(), due.report());
            }
            LocalLimit localLimit = localLimits.get(due.request().subject());
            if (due.worksAgain() && localLimit != null) {
                localLimit.worksAgainNotReported(System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }
}
