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
public final class Quotas {
    private static final int MOST_KNOWN = 10_000;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ToIntFunction<Subject> handlers;
    private final Predicate<String> queues;
    private final Set<String> kinds;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private final Map<Subject, Quota> quotas = new HashMap<>();
    private final Map<Subject, Report> reports = new HashMap<>();
    private final Map<List<Quota>, Gate> gates = new HashMap<>();
    private final KeyQuotas keys = new KeyQuotas();
    private final AnswerTime answers = new AnswerTime();
    private final Map<String, Map<String, Gate>> known = new ConcurrentHashMap<>();
    private volatile boolean none = true;
    /** Queues whose keys have a rate. */
    private volatile Set<String> keyed = Set.of();
    /** Whether some jobs are or were held back, and nobody has found out whether the reason is gone. */
    private volatile boolean trying;

    private volatile long idleNanos = System.nanoTime();
    private boolean closed;
    private long newGates;

    /**
     * @param handlers how many jobs of a queue or kind the worker can run at once now
     * @param queues from which it may claim, also if it does not know of them yet: a limit holds from the first claim on
     * @param kinds that it handles
     */
    public Quotas(ToIntFunction<Subject> handlers, Predicate<String> queues, Set<String> kinds) {
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
                if (concerns(subject) && !quotas.containsKey(subject)) {
                    quotas.put(subject, new Quota(subject, System.nanoTime()));
                    news = true;
                }
            }
            if (quotas.values().removeIf(quota -> !quota.isLimited() && !limited.contains(quota.subject()))) {
                forgetGates();
            }
            if (news) {
                forgetGates();
                asked.signalAll();
            }
            keyed = limited.stream()
                    .filter(each -> each.of() == Subject.Of.KEYS && queues.test(each.name()))
                    .map(Subject::name)
                    .collect(Collectors.toUnmodifiableSet());
            if (keys.rated(keyed)) {
                news = true;
                newGates++;
            }
            none = quotas.isEmpty() && !keys.any();
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
    public long newGates() {
        return newGates;
    }

    /** What is in use stays so: a job leaves the gate by which it has entered. */
    private void forgetGates() {
        newGates++;
        gates.clear();
        known.clear();
        keys.forgetGates();
    }

    /**
     * @param job that waits
     * @return what it must pass to start; null for nothing
     */
    public @Nullable Gate gate(Job job) {
        if (!keyed.contains(job.queue())) {
            return gate(job.queue(), job.kind());
        }
        String key = job.key().orElse(null);
        return key == null ? gate(job.queue(), job.kind()) : gate(new JobKey(job.queue(), key), job.kind());
    }

    private Gate gate(JobKey key, String kind) {
        lock.lock();
        try {
            return keys.gate(key, kind, quota -> {
                List<Quota> all = ofQueueAndKind(key.queue(), kind);
                all.add(quota);
                return new Gate(this, all);
            });
        } finally {
            lock.unlock();
        }
    }

    private List<Quota> ofQueueAndKind(String queue, String kind) {
        List<Quota> all = new ArrayList<>(3);
        add(all, quotas.get(Subject.queue(queue)));
        add(all, quotas.get(Subject.kind(kind)));
        return all;
    }

    /**
     * @param queue of a job
     * @param kind of the job
     * @return what it must pass to start; null for nothing
     */
    public @Nullable Gate gate(String queue, String kind) {
        if (none) {
            return null;
        }
        Map<String, Gate> ofQueue = known.get(queue);
        Gate gate = ofQueue == null ? null : ofQueue.get(kind);
        if (gate == null) {
            gate = find(queue, kind);
        }
        return gate.isOpen() ? null : gate;
    }

    private Gate find(String queue, String kind) {
        lock.lock();
        try {
            List<Quota> all = ofQueueAndKind(queue, kind);
            Gate gate = gates.computeIfAbsent(all, each -> new Gate(this, each));
            if (known.size() > MOST_KNOWN) { // queues by a pattern come and go
                known.clear();
            }
            known.computeIfAbsent(queue, each -> new ConcurrentHashMap<>()).put(kind, gate);
            return gate;
        } finally {
            lock.unlock();
        }
    }

    private static void add(List<Quota> all, @Nullable Quota quota) {
        if (quota != null) {
            all.add(quota);
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
            Quota quota = quotas.get(subject);
            int room = quota == null ? Integer.MAX_VALUE : quota.room(ahead, handlers.applyAsInt(subject), now);
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
                Quota quota = quotas.get(subject);
                if (quota != null && quota.claimed(all)) {
                    asked.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    long enter(Gate gate, int cost) {
        lock.lock();
        try {
            long now = System.nanoTime();
            if (freeNow(gate, cost, now) == 0) {
                return Gate.REFUSED;
            }
            long end = Gate.ANY_TIME;
            boolean asks = false;
            for (Quota quota : gate.quotas()) {
                long one = quota.enter(cost, now);
                asks |= quota.isShortOfStarts(now);
                if (one != Gate.ANY_TIME && (end == Gate.ANY_TIME || one - end < 0)) {
                    end = one;
                }
            }
            if (asks) {
                asked.signalAll();
            }
            return end;
        } finally {
            lock.unlock();
        }
    }

    /** On the path of every job, so without a stream. */
    private static int freeNow(Gate gate, int cost, long now) {
        int free = Integer.MAX_VALUE;
        for (Quota quota : gate.quotas()) {
            free = Math.min(free, quota.free(cost, now));
        }
        return free;
    }

    /** {@return whether jobs may have to wait for their turns, however quick the handlers are} */
    public boolean anyRated() {
        lock.lock();
        try {
            return keys.any() || quotas.values().stream().anyMatch(Quota::isRated);
        } finally {
            lock.unlock();
        }
    }

    boolean leave(Gate gate) {
        lock.lock();
        try {
            boolean more = false;
            long now = System.nanoTime();
            for (Quota quota : gate.quotas()) {
                more |= quota.leave(now);
                if (quota.givesBack()) {
                    asked.signalAll();
                }
            }
            return more;
        } finally {
            lock.unlock();
        }
    }

    int free(Gate gate, int cost) {
        lock.lock();
        try {
            return freeNow(gate, cost, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    int near(Gate gate, int cost) {
        lock.lock();
        try {
            long now = System.nanoTime();
            int near = Integer.MAX_VALUE;
            for (Quota quota : gate.quotas()) {
                near = Math.min(near, quota.near(cost, now));
            }
            return near;
        } finally {
            lock.unlock();
        }
    }

    int dear(Gate gate) {
        lock.lock();
        try {
            int dear = 1;
            for (Quota quota : gate.quotas()) {
                dear = quota.anyCostly() ? Math.max(dear, quota.dear(System.nanoTime())) : dear;
            }
            return dear > 1 && freeNow(gate, dear, System.nanoTime()) > 0 ? dear : 1;
        } finally {
            lock.unlock();
        }
    }

    int soon(Gate gate) {
        lock.lock();
        try {
            long now = System.nanoTime();
            return gate.quotas().stream()
                    .mapToInt(quota -> quota.soon(now))
                    .min()
                    .orElse(Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    void waiting(Gate gate, int cost, int jobs) {
        lock.lock();
        try {
            boolean asks = false;
            long now = System.nanoTime();
            for (Quota quota : gate.quotas()) {
                quota.waiting(cost, jobs, now);
                asks |= jobs > 0 && quota.isRated();
            }
            if (asks) {
                asked.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isShut(Gate gate) {
        lock.lock();
        try {
            long now = System.nanoTime();
            return gate.quotas().stream().anyMatch(quota -> quota.isShut(now));
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
            Quota quota = quotas.get(subject);
            if (quota == null) {
                quota = new Quota(subject, now);
                quotas.put(subject, quota);
                forgetGates();
                none = false;
            }
            quota.unavailable(now + wait.toNanos());
            trying = true;
            reports.putIfAbsent(subject, new Report(wait, reason));
            asked.signalAll();
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
                Quota quota = quotas.get(subject);
                if (quota != null && quota.worksAgain(System.nanoTime())) {
                    asked.signalAll();
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
            quotas.values().forEach(quota -> quota.scaled(handlers.applyAsInt(quota.subject())));
            asked.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Asks for nothing more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            asked.signalAll();
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
    public record Due(LimitSource.Ask ask, @Nullable Report report, boolean worksAgain) {}

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
                long wait = reports.isEmpty() ? keys.untilAsk(now) : 0;
                for (Quota quota : quotas.values()) {
                    wait = Math.min(wait, quota.untilAsk(now));
                }
                if (wait <= 0) {
                    return;
                } else if (wait == Long.MAX_VALUE) {
                    asked.await();
                } else {
                    long unused = asked.awaitNanos(wait);
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
    public record DueKeys(String queue, List<KeyAsk> asks) {}

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
    public boolean dealt(String queue, Map<String, LimitSource.Dealt> dealt, long sent) {
        lock.lock();
        try {
            boolean more = false;
            long now = System.nanoTime();
            answers.heard(now - sent);
            for (Map.Entry<String, LimitSource.Dealt> each : dealt.entrySet()) {
                Quota quota = keys.quota(new JobKey(queue, each.getKey()));
                more |= quota != null && quota.dealt(each.getValue(), 1, sent, now);
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
            Quota quota = keys.quota(new JobKey(job.queue(), key));
            return quota == null ? Duration.ZERO : Duration.ofNanos(quota.untilStarts(System.nanoTime()));
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
            return reports.isEmpty() && quotas.values().stream().allMatch(quota -> quota.isSettledSince(nanos));
        } finally {
            lock.unlock();
        }
    }

    private List<Due> due(long now) {
        List<Due> due = new ArrayList<>();
        boolean mayRunMore = now - idleNanos < IDLE_NANOS;
        for (Quota quota : quotas.values()) {
            Report report = reports.remove(quota.subject());
            if (report != null || quota.untilAsk(now) <= 0) {
                due.add(new Due(
                        quota.ask(handlers.applyAsInt(quota.subject()), mayRunMore, now)
                                .goodFor(answers.goodFor()),
                        report,
                        quota.takeWorksAgain()));
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
    public boolean dealt(Subject subject, LimitSource.Dealt dealt, long sent) {
        lock.lock();
        try {
            Quota quota = quotas.get(subject);
            long now = System.nanoTime();
            answers.heard(now - sent);
            boolean more = quota != null && quota.dealt(dealt, handlers.applyAsInt(subject), sent, now);
            trying = quotas.values().stream().anyMatch(Quota::isTrying);
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
    public void untold(Due due) {
        lock.lock();
        try {
            if (due.report() != null) {
                reports.putIfAbsent(due.ask().subject(), due.report());
            }
            Quota quota = quotas.get(due.ask().subject());
            if (due.worksAgain() && quota != null) {
                quota.worksAgainUntold(System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }
}
