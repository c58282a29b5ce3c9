package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.OnFailure;
import dev.pawl.UniqueWhile;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.RetryResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the queue promises, as a program without SQL, threads and workers' loops. Written from README, docs and Javadoc. Where those leave
 * something open (which of several jobs is claimed first, how a wait is spread), the model takes over what the queue did, if it was allowed.
 */
public final class Model {
    /** How long a run is leased, and what a worker waits after a failure. */
    static final Duration LEASE = Duration.ofSeconds(30);

    static final Duration RETRY = Duration.ofSeconds(1);

    private static final Instant FAR = Instant.parse("8000-01-01T00:00:00Z");

    /** Whether the worker claims from lanes, where priorities count within a lane and within rows, not between them. */
    private final boolean lanes;

    /** A node waits for another one. */
    record Edge(long before, OnFailure onFailure) {}

    /** A job that a batch has enqueued, and that was not seen yet. */
    record Callback(long batch, String payload) {}

    public Instant now = Stage.START;
    private long claims;
    private boolean hasLost;
    private TreeMap<Long, SpecBatch> batches = new TreeMap<>();
    private List<Callback> callbacks = new ArrayList<>();
    private TreeMap<Long, Spec> jobs = new TreeMap<>();
    private Set<String> pausedQueues = new HashSet<>();
    /** How many jobs of each key of a queue run at once; those that are missing go one after the other. */
    private Map<String, Integer> keysAtOnce = new HashMap<>();
    /** Until when the jobs of a key are held back; then one is tried, until one has ended, which is left to the queue. */
    private Map<String, Instant> heldKeys = new HashMap<>();

    Model(boolean lanes) {
        this.lanes = lanes;
    }

    private void mayBeLost() {
        if (lanes && hasLost) {
            Known.LANE_OF_A_LOST_COMMIT.passBy();
        }
    }

    /** Something that was committed is not there any more. */
    public void hasLost() {
        hasLost = true;
    }

    /** {@return what a transaction that is rolled back goes back to} */
    public Model copy() {
        Model copy = new Model(lanes);
        copy.now = now;
        copy.claims = claims;
        copy.hasLost = hasLost;
        copy.pausedQueues = new HashSet<>(pausedQueues);
        copy.keysAtOnce = new HashMap<>(keysAtOnce);
        copy.heldKeys = new HashMap<>(heldKeys);
        jobs.forEach((id, job) -> copy.jobs.put(id, job.copy()));
        batches.forEach((id, batch) -> copy.batches.put(id, batch.copy()));
        copy.callbacks = new ArrayList<>(callbacks);
        return copy;
    }

    /** Becomes what a copy was; time has gone on. */
    public void becomes(Model before) {
        jobs = before.jobs;
        batches = before.batches;
        callbacks = before.callbacks;
        pausedQueues = before.pausedQueues;
        keysAtOnce = before.keysAtOnce;
        heldKeys = before.heldKeys;
    }

    /** {@return the last moment that means something to the queue, and has come} Before it, it is left open what has come already. */
    public Instant lastMoment() {
        Stream<Instant> ofJobs = all().flatMap(job -> Stream.of(
                job.enqueued,
                job.due,
                Objects.requireNonNullElse(job.finishedAt, Instant.MIN),
                Objects.requireNonNullElse(job.uniqueUntil, Instant.MIN)));
        return Stream.concat(ofJobs, heldKeys.values().stream())
                .filter(moment -> !moment.isAfter(now))
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    public Stream<Spec> all() {
        return jobs.values().stream();
    }

    public @Nullable Spec job(long id) {
        return jobs.get(id);
    }

    private Spec the(long id) {
        Spec job = jobs.get(id);
        if (job == null) {
            mayBeLost();
            throw new Difference("there is no job " + id);
        }
        return job;
    }

    private SpecBatch theBatch(long id) {
        SpecBatch batch = batches.get(id);
        if (batch == null) {
            throw new Difference("there is no batch " + id);
        }
        return batch;
    }

    /** {@return the job at a place among all, counted round} */
    public OptionalLong place(int place) {
        return jobs.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(List.copyOf(jobs.keySet()).get(place % jobs.size()));
    }

    // ------------------------------------------------------------------------------------------------ enqueue

    /** Enqueues a job: a new one, or the one that has its unique key is kept or replaced. */
    public void enqueue(Request wanted, EnqueueResult result) {
        Spec holder = wanted.unique() == null ? null : holder(wanted);
        if (holder != null
                && holder.scope == UniqueWhile.WAITING
                && holder.attempt > 0
                && holder.enqueued.plus(Duration.ofDays(1)).isBefore(now)
                && result instanceof EnqueueResult.Inserted) {
            Known.KEY_FORGOTTEN_DURING_A_RUN.passBy();
        }
        if (holder == null) {
            require(result instanceof EnqueueResult.Inserted, "its unique key is free, but the result is %s", result);
            require(!jobs.containsKey(result.jobId()), "the id %s was given out before", result.jobId());
            Spec job = new Spec(result.jobId(), wanted.kind(), now);
            wanted.writeTo(job, now);
            jobs.put(job.id, job);
            if (job.batch != 0) {
                SpecBatch batch = theBatch(job.batch);
                if (!mayAdd(batch, wanted) && wanted.mayBeRefused()) {
                    Known.FORGED.passBy();
                }
                require(
                        mayAdd(batch, wanted) || isLate(batch, wanted),
                        "job %s was added to batch %s",
                        job.id,
                        job.batch);
                batch.jobs++;
                batch.done = false;
            }
        } else if (wanted.replace() && holder.waits() && holder.batch == 0) {
            if (holder.key != null) {
                Known.REPLACED_STAYS_IN_LINE.passBy();
            }
            same("enqueue", new EnqueueResult.Replaced(holder.id), result);
            holder.attempt = 0;
            wanted.writeTo(holder, now);
        } else {
            same("enqueue", new EnqueueResult.Duplicate(holder.id), result);
        }
    }

    /** It was refused: its batch takes no more jobs. */
    void refused(Request wanted, RuntimeException refusal) {
        SpecBatch batch = batches.get(wanted.batch());
        require(wanted.batch() != 0 && (batch == null || !mayAdd(batch, wanted)), "refused: %s", refusal);
    }

    /** Until it is sealed, anybody may; afterwards its own jobs, while they run. */
    private boolean mayAdd(SpecBatch batch, Request wanted) {
        Spec member = jobs.get(wanted.member());
        return !batch.sealed || (member != null && member.runs() && member.batch == batch.id);
    }

    /** A run of one of its jobs that has lost its lease adds to it: until it is done, that is left open. */
    private boolean isLate(SpecBatch batch, Request wanted) {
        Spec member = jobs.get(wanted.member());
        return !batch.done && member != null && member.batch == batch.id;
    }

    /** {@return the job for which the unique key is taken; null if it is free} */
    private @Nullable Spec holder(Request wanted) {
        List<Spec> holders = all().filter(job -> job.kind.equals(wanted.kind())
                        && wanted.unique() != null
                        && wanted.unique().equals(job.unique)
                        && takesKey(job, wanted.scope()))
                .toList();
        return holders.isEmpty() ? null : holders.get(holders.size() - 1);
    }

    private boolean takesKey(Spec job, UniqueWhile scope) {
        if (isExpiredAndWaits(job)) {
            return false;
        }
        if (job.uniqueUntil != null && now.isBefore(job.uniqueUntil)) {
            return true;
        }
        return switch (scope) {
            case WAITING -> job.waits();
            case LIVE -> job.lives();
            case LIVE_OR_DISCARDED -> job.lives() || job.state == JobState.DISCARDED;
            case KEPT -> true;
        };
    }

    private boolean isExpired(Spec job) {
        return job.expires != null && !now.isBefore(job.expires);
    }

    // ------------------------------------------------------------------------------------------------ workers

    /** {@return whether a worker may begin the job now} */
    boolean mayBegin(Spec job, String queue, List<String> kinds) {
        return mayBeTaken(job, queue, kinds) && !isExpired(job) && !isPaused(job) && !isStopped(job);
    }

    private boolean isPaused(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        return batch != null && batch.paused;
    }

    private boolean isStopped(Spec job) {
        SpecBatch batch = batches.get(job.batch);
        return batch != null && batch.stopped;
    }

    private boolean mayBeTaken(Spec job, String queue, List<String> kinds) {
        return job.waits()
                && job.queue.equals(queue)
                && kinds.contains(job.kind)
                && !pausedQueues.contains(queue)
                && !job.waitsForTurn
                && !job.putAside
                && !now.isBefore(job.due);
    }

    /** A worker claims: smallest priority first. */
    public void claim(String queue, List<String> kinds, int most, List<Job> claimed, long statements) {
        long others =
                all().filter(job -> job.waits() && job.queue.equals(queue)).count();
        if (statements > 60 + 4L * claimed.size() + others / 10) {
            Known.OTHER_KINDS_COST_A_CLAIM_EACH.passBy();
            require(false, "a claim took %s statements, with %s jobs waiting", statements, others);
        }
        List<Spec> allowed = all().filter(job -> mayBegin(job, queue, kinds)).toList();
        Set<Long> taken = new HashSet<>();
        for (Job each : claimed) {
            Spec job = the(each.id());
            require(allowed.contains(job), "job %s was claimed, and may not begin", each.id());
            require(taken.add(each.id()), "job %s was claimed twice", each.id());
            if (job.scope == UniqueWhile.WAITING
                    && all().anyMatch(other ->
                            other.runs() && other.kind.equals(job.kind) && Objects.equals(other.unique, job.unique))) {
                Known.WAITING_RUN_SIDE_BY_SIDE.passBy();
                require(false, "job %s was claimed beside another one of its unique key, of which one runs", job.id);
            }
        }
        List<Spec> left =
                allowed.stream().filter(job -> !taken.contains(job.id)).toList();
        // What has expired, or is of a batch that is stopped or paused, does not begin, and takes a place of the claim.
        boolean anyOther = all().anyMatch(job -> mayBeTaken(job, queue, kinds) && !mayBegin(job, queue, kinds));
        if (!anyOther) {
            same("jobs claimed of " + queue, Math.min(most, allowed.size()), claimed.size());
        }
        if (!lanes && !left.isEmpty() && !claimed.isEmpty()) {
            int smallest = left.stream().mapToInt(job -> job.priority).min().orElseThrow();
            for (long id : taken) {
                require(the(id).priority <= smallest, "job %s was claimed before one with a smaller priority", id);
            }
        }
        claimed.forEach(this::runs);
    }

    private Spec runs(Job each) {
        Spec job = the(each.id());
        require(each.leaseToken() > job.token, "the token of job %s has not grown", each.id());
        job.state = JobState.RUNNING;
        job.attempt++;
        claims++;
        job.claim = claims;
        job.token = each.leaseToken();
        job.leaseUntil = now.plus(LEASE);
        job.cancelRequested = false;
        job.notBegun = false;
        same("attempt of the claimed job " + job.id, job.attempt, each.attempt());
        return job;
    }

    /** The same, of which the worker has not heard: its claim was broken off. In a lane jobs of other kinds may be among them. */
    public void taken(String queue, List<String> kinds, List<Job> claimed) {
        for (Job each : claimed) {
            Spec job = the(each.id());
            boolean isForeign = lanes && !kinds.contains(job.kind);
            require(
                    mayBeTaken(job, queue, isForeign ? List.of(job.kind) : kinds),
                    "job %s was claimed, and may not begin",
                    each.id());
            job.isTooLate = isExpired(job);
            runs(each).notBegun = true;
            job.isForeign = isForeign;
        }
    }

    /** {@return the number of the claim under which a job runs} */
    public long claimOf(long id) {
        return the(id).claim;
    }

    /** Whether an outcome counts: the job runs, and under this claim. */
    public boolean isHeld(long id, long claim) {
        Spec job = jobs.get(id);
        return job != null && job.runs() && job.claim == claim;
    }

    /** A handler has ended. */
    public void end(long id, long claim, How how, boolean accepted) {
        if (accepted && !isHeld(id, claim)) {
            Known.TOKEN_OF_A_LOST_CLAIM.passBy();
        }
        same("outcome " + how + " of job " + id + " accepted", isHeld(id, claim), accepted);
        if (!accepted) {
            return;
        }
        Spec job = the(id);
        switch (how) {
            case COMPLETE, COMPLETE_IN_TRANSACTION -> finish(job, JobState.COMPLETED);
            case CANCEL -> finish(job, JobState.CANCELLED);
            case DISCARD -> finish(job, JobState.DISCARDED);
            case FAIL -> failed(job, RETRY);
            case RETRY_AFTER_20S -> failed(job, Duration.ofSeconds(20));
            case SNOOZE_20S -> snoozed(job, Duration.ofSeconds(20));
            case SNOOZE_0 -> snoozed(job, Duration.ZERO);
            case KEY_UNAVAILABLE_1M -> {
                snoozed(job, job.key == null ? Duration.ofMinutes(1) : Duration.ofSeconds(5));
                if (job.key != null) {
                    holdKey(job.queue, job.key, Duration.ofMinutes(1), false);
                }
            }
            case RELEASE -> released(job);
        }
    }

    private void failed(Spec job, Duration wait) {
        if (job.attempt >= job.maxAttempts) {
            finish(job, JobState.DISCARDED);
        } else if (job.cancelRequested) {
            finish(job, JobState.CANCELLED);
        } else {
            again(job, wait);
        }
    }

    private void snoozed(Spec job, Duration wait) {
        if (job.cancelRequested) {
            finish(job, JobState.CANCELLED);
        } else {
            job.attempt--;
            again(job, wait);
        }
    }

    /** It has not begun: available in its old place. */
    private void released(Spec job) {
        if (job.cancelRequested) {
            finish(job, JobState.CANCELLED);
        } else {
            job.attempt--;
            job.state = JobState.AVAILABLE;
            job.dueUntil = now;
        }
    }

    private void again(Spec job, Duration wait) {
        job.state = JobState.AVAILABLE;
        job.due = now.plus(wait);
        job.dueUntil = null;
    }

    private void finish(Spec job, JobState state) {
        job.state = state;
        job.finishedAt = now;
        job.cancelRequested = false;
        job.waitsForTurn = false;
        job.outOfTurn = false;
        job.putAside = false;
        job.blocked = false;
        SpecBatch batch = batches.get(job.batch);
        if (batch != null) {
            count(batch, state, 1);
            ended(batch);
        }
    }

    private static void count(SpecBatch batch, JobState state, int jobs) {
        switch (state) {
            case COMPLETED -> batch.completed += jobs;
            case DISCARDED -> batch.failed += jobs;
            default -> batch.cancelled += jobs;
        }
    }

    /** One of its jobs has ended, or no more jobs come. */
    private void ended(SpecBatch batch) {
        if (batch.failed > 0 && !batch.onFailed) {
            batch.onFailed = true;
            callback(batch, "failed");
        }
        boolean tooMany = batch.ended() >= 2 && batch.failed * 100 > 50 * batch.ended();
        if (batch.stops && tooMany && !batch.stopped && !batch.goesOn) {
            batch.stopped = true;
        }
        batch.done = batch.sealed && batch.ended() == batch.jobs;
        if (batch.done && !batch.onDone) {
            batch.onDone = true;
            callback(batch, "done");
        }
        if (batch.done && batch.completed == batch.jobs && !batch.onSuccess) {
            batch.onSuccess = true;
            callback(batch, "success");
        }
        if (batch.isNode && batch.done) {
            batches.values().stream()
                    .filter(next -> next.after.stream().anyMatch(edge -> edge.before == batch.id))
                    .forEach(this::nodeBeforeHasEnded);
        }
    }

    /** Its jobs go when each node before it lets them; or are cancelled. */
    private void nodeBeforeHasEnded(SpecBatch node) {
        boolean all = true;
        for (Edge edge : node.after) {
            SpecBatch before = theBatch(edge.before);
            boolean success = before.done && before.completed == before.jobs;
            all &= success || (before.done && edge.onFailure == OnFailure.RUN_ANYWAY);
            node.doomed |= !node.free && before.done && !success && edge.onFailure == OnFailure.CANCEL;
        }
        if (all && !node.free) {
            node.free = true;
            all().filter(job -> job.batch == node.id && job.blocked).forEach(job -> {
                job.blocked = false;
                job.waitsForTurn = job.key != null;
                job.due = now;
                job.dueUntil = job.key == null ? null : now;
            });
        }
    }

    private void callback(SpecBatch batch, String payload) {
        if (batch.callbacks) {
            callbacks.add(new Callback(batch.id, "\"" + payload + "\""));
        }
    }

    /** The lease is longer from now on. */
    public void renew(long id, long claim, boolean renewed) {
        if (renewed && !isHeld(id, claim)) {
            Known.TOKEN_OF_A_LOST_CLAIM.passBy();
        }
        same("lease of job " + id + " renewed", isHeld(id, claim), renewed);
        if (renewed) {
            the(id).leaseUntil = now.plus(LEASE);
        }
    }

    /** Jobs whose lease has expired are run again by the policy of their kind, or discarded. */
    void rescue() {
        rescue(job -> true);
    }

    /**
     * The same, where it was broken off.
     *
     * @param isRescued which of them it has reached
     */
    public void rescue(Predicate<Spec> isRescued) {
        List<Spec> abandoned = all().filter(job -> job.runs() && !now.isBefore(job.leaseUntil))
                .filter(isRescued)
                .toList();
        for (Spec job : abandoned) {
            if (job.notBegun) {
                job.rescueIsOpen = true;
            } else if (job.attempt >= job.maxAttempts) {
                finish(job, JobState.DISCARDED);
            } else if (job.cancelRequested) {
                finish(job, JobState.CANCELLED);
            } else {
                again(job, Duration.ZERO);
                // Each waits no longer than its policy says, and those that ran together come back one at a time.
                job.dueUntil = now.plus(RETRY).plusSeconds(10L * (abandoned.size() - 1));
                job.rescued = true;
            }
        }
    }

    /** It is rescued from a worker that had not heard of its claim; if its kind is not the worker's, it has surely not begun. */
    private void rescuedUnheard(Spec job, Job seen) {
        job.rescueIsOpen = false;
        job.notBegun = false;
        boolean isCharged = seen.attempt() == job.attempt;
        if (job.isForeign && isCharged && !job.cancelRequested) {
            Known.OTHER_KINDS_ARE_CHARGED.passBy();
            require(false, "job %s is charged an attempt by a worker that has no handler for it", job.id);
        }
        if (job.cancelRequested) {
            finish(job, JobState.CANCELLED);
            job.attempt = seen.attempt();
        } else if (!isCharged) {
            released(job);
        } else if (job.attempt >= job.maxAttempts) {
            finish(job, JobState.DISCARDED);
        } else {
            again(job, Duration.ZERO);
            job.dueUntil = now.plus(Duration.ofMinutes(10)); // others may have been rescued with it
            job.rescued = true;
        }
    }

    // ------------------------------------------------------------------------------------------------ keys

    /** {@return whether it has been released among the jobs of its key, and has not ended} */
    private boolean isUnderWay(Spec job) {
        if (job.runs()) {
            return true;
        }
        boolean oneAfterTheOther = keysAtOnce.getOrDefault(job.queue, 1) == 1;
        return job.waits() && !job.waitsForTurn && !job.blocked && (oneAfterTheOther || !now.isBefore(job.due));
    }

    /**
     * The next ones of each key take their places in the queue's line: smallest priority first, then the order of enqueueing.
     *
     * @param all whether those that may go have gone; otherwise a worker may still be about to release them
     */
    private void released(Map<Long, Job> listed, boolean all) {
        Map<String, List<Spec>> lines = new LinkedHashMap<>();
        all().filter(job -> job.key != null && job.lives())
                .forEach(job -> lines.computeIfAbsent(nameOfKey(job), any -> new ArrayList<>())
                        .add(job));
        for (List<Spec> line : lines.values()) {
            int most = keysAtOnce.getOrDefault(line.get(0).queue, 1);
            Instant held = heldKeys.get(nameOfKey(line.get(0)));
            if (held != null && now.isBefore(held)) {
                most = 0;
            }
            long underWay = line.stream().filter(this::isUnderWay).count();
            long outOfTurn = line.stream().filter(job -> job.outOfTurn).count();
            long must = all ? Math.max(0, (held == null ? most : Math.min(most, 1)) - underWay) : 0;
            List<Spec> next = line.stream()
                    .filter(job -> job.waitsForTurn && !now.isBefore(job.due))
                    .sorted(Comparator.comparingInt((Spec job) -> job.priority).thenComparingLong(job -> job.id))
                    .limit(Math.max(0, most - underWay + outOfTurn))
                    .toList();
            for (int i = 0; i < next.size(); i++) {
                Spec job = next.get(i);
                Job seen = listed.get(job.id);
                if (i < must || (seen != null && !seen.isParked())) {
                    job.waitsForTurn = false;
                    job.due = now;
                    job.dueUntil = now;
                }
            }
            for (Spec job : line) {
                if (job.outOfTurn && job.waits() && !now.isBefore(job.due)) {
                    job.dueUntil = job.dueUntil == null ? now : job.dueUntil;
                } else if (job.outOfTurn && job.waits()) {
                    Known.OUT_OF_TURN_LOSES_ITS_WAIT.passBy();
                }
            }
        }
    }

    /** A worker has released all that may go. */
    public void releaseKeys(Map<Long, Job> listed) {
        released(listed, true);
    }

    private static String nameOfKey(Spec job) {
        return job.queue + " " + job.key;
    }

    private boolean isHeldBack(Spec job) {
        return job.key != null && now.isBefore(heldKeys.getOrDefault(nameOfKey(job), Instant.MIN));
    }

    /** A person holds the jobs of a key back, or a run has found out that what they need is not available. */
    public void holdKey(String queue, String key, Duration length, boolean person) {
        String name = queue + " " + key;
        if (person || !now.isBefore(heldKeys.getOrDefault(name, Instant.MIN))) {
            heldKeys.put(name, now.plus(length));
        }
    }

    public void openKey(String queue, String key, boolean opened) {
        Instant held = heldKeys.remove(queue + " " + key);
        require(opened || held == null || !now.isBefore(held), "the key was held back, and is not opened");
        require(!opened || held != null, "the key was not held back, and is opened");
    }

    public void keysAtOnce(String queue, int most) {
        if (most == 0) {
            keysAtOnce.remove(queue);
        } else {
            keysAtOnce.put(queue, most);
        }
    }

    // ------------------------------------------------------------------------------------------------ people

    public void cancel(long id, CancelResult result) {
        Spec job = jobs.get(id);
        if (job == null) {
            same("cancel", CancelResult.NOT_FOUND, result);
        } else if (job.runs()) {
            same("cancel", CancelResult.REQUESTED, result);
            job.cancelRequested = true;
        } else if (job.waits()) {
            same("cancel", CancelResult.CANCELLED, result);
            finish(job, JobState.CANCELLED);
        } else {
            same("cancel", CancelResult.ALREADY_FINISHED, result);
        }
    }

    public void retry(long id, RetryResult result) {
        Spec job = jobs.get(id);
        same("retry of job " + id, retried(job), result);
        if (result == RetryResult.AVAILABLE_NOW && job != null) {
            makeAvailable(job);
        }
    }

    private RetryResult retried(@Nullable Spec job) {
        if (job == null) {
            return RetryResult.NOT_FOUND;
        }
        if (job.runs()) {
            return RetryResult.RUNNING;
        }
        return job.state.isFinished() && isKeyOfALiveJob(job) ? RetryResult.KEY_TAKEN : RetryResult.AVAILABLE_NOW;
    }

    private boolean isKeyOfALiveJob(Spec job) {
        return job.unique != null
                && job.scope != UniqueWhile.WAITING
                && all().anyMatch(other -> other.lives()
                        && other.kind.equals(job.kind)
                        && job.unique.equals(other.unique)
                        && !isExpiredAndWaits(other));
    }

    private boolean isExpiredAndWaits(Spec job) {
        boolean expired = (job.waits() && isExpired(job)) || (job.runs() && job.isTooLate);
        if (expired) {
            Known.EXPIRED_HOLDS_KEY.passBy();
        }
        return expired;
    }

    /** A finished one gets one more attempt and takes its place in the line of its key; one that waits goes out of turn. */
    private void makeAvailable(Spec job) {
        if (job.state.isFinished()) {
            SpecBatch batch = batches.get(job.batch);
            if (batch != null) {
                count(batch, job.state, -1);
                batch.done = false;
                batch.goesOn |= batch.stopped;
                batch.stopped = false;
            }
            job.state = JobState.AVAILABLE;
            job.finishedAt = null;
            job.maxAttempts = Math.max(job.maxAttempts, job.attempt + 1);
            job.blocked = batch != null && batch.isNode && !batch.free;
            job.waitsForTurn = job.key != null && !job.blocked;
            job.due = job.blocked ? Job.BLOCKED : now;
            job.dueUntil = null;
        } else {
            if (job.waitsForTurn || job.putAside || now.isBefore(job.due)) {
                job.due = now;
                job.dueUntil = null;
            }
            job.outOfTurn |= job.waitsForTurn || (job.blocked && job.key != null);
            job.blocked = false;
            job.putAside = false;
            job.waitsForTurn = false;
        }
    }

    public void edit(long id, Edit edit, EditResult result) {
        Spec job = jobs.get(id);
        if (job == null) {
            same("edit", EditResult.NOT_FOUND, result);
        } else if (!job.waits()) {
            same("edit", job.runs() ? EditResult.RUNNING : EditResult.ALREADY_FINISHED, result);
        } else {
            same("edit", EditResult.CHANGED, result);
            switch (edit) {
                case PRIORITY -> job.priority = 3;
                case PAYLOAD -> job.payload = "3";
                case LATER -> reschedule(job, now.plusSeconds(60));
                case NOW -> reschedule(job, now);
            }
        }
    }

    private void reschedule(Spec job, Instant at) {
        job.due = at;
        job.dueUntil = null;
        job.putAside = false;
        job.blocked = false;
        job.waitsForTurn = job.key != null;
        job.outOfTurn = false;
    }

    public void pauseQueue(String queue) {
        pausedQueues.add(queue);
    }

    public void resumeQueue(String queue, boolean resumed) {
        same("resume", pausedQueues.remove(queue), resumed);
    }

    /** {@return how many jobs are changed} What has completed in a lane may have to be left for a while. */
    public long changeAll(Which which, Change change, Map<Long, Job> listed) {
        return changeAll(which, change, listed, job -> true);
    }

    /** {@return whether a job is seen as it is here} */
    public boolean isAsSeen(long id, @Nullable Job seen) {
        Model copy = copy();
        try {
            if (seen != null) {
                copy.compare(copy.the(id), seen);
            }
            return seen != null;
        } catch (Difference changed) {
            return false;
        }
    }

    /**
     * The same, where it was broken off.
     *
     * @param isReached which of them were reached
     */
    public long changeAll(Which which, Change change, Map<Long, Job> listed, Predicate<Spec> isReached) {
        long changed = 0;
        List<Spec> newestFirst =
                new ArrayList<>(all().filter(which::matches).filter(isReached).toList());
        Collections.reverse(newestFirst);
        for (Spec job : newestFirst) {
            boolean removes = change == Change.DELETE || change == Change.ERASE;
            boolean left = lanes && removes && job.state == JobState.COMPLETED && listed.containsKey(job.id);
            changed += !left && change(job, change, which) ? 1 : 0;
        }
        return changed;
    }

    private boolean change(Spec job, Change change, Which which) {
        switch (change) {
            case CANCEL -> {
                if (job.waits()) {
                    finish(job, JobState.CANCELLED);
                    return true;
                }
                job.cancelRequested |= job.runs();
                return job.runs();
            }
            case RETRY -> {
                boolean applies =
                        (job.waits() && !job.waitsForTurn && !job.putAside && !job.blocked && now.isBefore(job.due))
                                || (job.state.isFinished()
                                        && (job.state != JobState.COMPLETED || which.namesCompleted())
                                        && !isKeyOfALiveJob(job));
                if (applies) {
                    makeAvailable(job);
                    job.waitsForTurn |= isHeldBack(job);
                }
                return applies;
            }
            case DELETE -> {
                return job.state.isFinished() && jobs.remove(job.id) != null;
            }
            case ERASE -> {
                if (job.runs()) {
                    job.cancelRequested = true;
                    return false;
                }
                if (job.waits()) {
                    finish(job, JobState.CANCELLED);
                }
                return jobs.remove(job.id) != null;
            }
            case PRIORITIZE -> {
                job.priority = job.waits() ? -2 : job.priority;
                return job.waits();
            }
            case MOVE_TO_B -> {
                if (job.waits() && !job.queue.equals("b")) {
                    job.queue = "b";
                    job.waitsForTurn = job.key != null && !job.blocked;
                    return true;
                }
                return job.waits();
            }
            case RESCHEDULE_1M, RESCHEDULE_NOW -> {
                boolean applies = job.waits() && !job.putAside && !job.blocked;
                if (applies) {
                    reschedule(job, change == Change.RESCHEDULE_1M ? now.plusSeconds(60) : now);
                }
                return applies;
            }
        }
        throw new AssertionError(change);
    }

    // ------------------------------------------------------------------------------------------------ batches

    public void openBatch(long id, boolean withCallbacks, boolean stops) {
        require(!batches.containsKey(id), "batch %s is there already", id);
        SpecBatch batch = new SpecBatch(id);
        batch.callbacks = withCallbacks;
        batch.stops = stops;
        batches.put(id, batch);
    }

    /**
     * Nodes, each after those before it; their jobs were written at once.
     *
     * @param shape what was written
     * @param nodes the batches of the nodes, in order
     * @param jobsOfNodes the ids of the jobs of each
     */
    public void startWorkflow(Shape shape, List<Long> nodes, List<List<Long>> jobsOfNodes) {
        same("nodes", shape.nodes.size(), nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            Shape.Node node = shape.nodes.get(i);
            SpecBatch batch = new SpecBatch(nodes.get(i));
            batch.isNode = true;
            batch.sealed = true;
            batch.free = node.after().isEmpty();
            batch.after = node.after().stream()
                    .map(before -> new Edge(nodes.get(before), node.onFailure()))
                    .toList();
            batches.put(batch.id, batch);
            if (jobsOfNodes.get(i).size() < node.jobs()) {
                mayBeLost();
            }
            same("jobs of node " + i, node.jobs(), jobsOfNodes.get(i).size());
            for (long id : jobsOfNodes.get(i)) {
                Spec job = new Spec(id, "ka", now);
                new Request("ka", "1", node.options(), batch.id, 0).writeTo(job, now);
                if (!batch.free) {
                    job.blocked = true;
                    job.waitsForTurn = false;
                    job.due = Job.BLOCKED;
                }
                jobs.put(id, job);
                batch.jobs++;
            }
        }
    }

    /** {@return the batch at a place, counted round} */
    public OptionalLong batchAt(int place) {
        return batches.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(List.copyOf(batches.keySet()).get(place % batches.size()));
    }

    /** {@return the one that was opened last; 0 if there is none} */
    public long lastBatch() {
        return batches.values().stream()
                .filter(batch -> !batch.isNode)
                .mapToLong(batch -> batch.id)
                .max()
                .orElse(0);
    }

    public void seal(long id, boolean sealed) {
        SpecBatch batch = theBatch(id);
        same("seal", !batch.sealed, sealed);
        batch.sealed = true;
        ended(batch);
    }

    public void pauseBatch(long id) {
        theBatch(id).paused = true;
    }

    public void resumeBatch(long id, boolean resumed) {
        SpecBatch batch = theBatch(id);
        same("resume of batch", batch.paused, resumed);
        batch.paused = false;
        all().filter(job -> job.batch == id && job.putAside).forEach(job -> {
            job.putAside = false;
            job.due = now;
            job.dueUntil = now;
        });
    }

    void cancelBatch(long id, long cancelled) {
        long expected = 0;
        for (Spec job : all().filter(one -> one.batch == id && one.lives()).toList()) {
            expected++;
            if (job.waits()) {
                finish(job, JobState.CANCELLED);
            } else {
                job.cancelRequested = true;
            }
        }
        same("jobs of the batch cancelled", expected, cancelled);
    }

    public void compareBatches(LongFunction<Optional<BatchInfo>> look) {
        for (SpecBatch batch : batches.values()) {
            String name = "batch " + batch.id + ": ";
            BatchInfo seen = look.apply(batch.id).orElse(null);
            if (seen == null) {
                throw new Difference(name + "it is not there");
            }
            same(name + "jobs", batch.jobs, seen.jobs());
            same(name + "completed", batch.completed, seen.completed());
            same(name + "failed", batch.failed, seen.failed());
            same(name + "cancelled", batch.cancelled, seen.cancelled());
            same(name + "sealed", batch.sealed, seen.sealedAt() != null);
            same(name + "stopped", batch.stopped, seen.stoppedAt() != null);
            same(name + "paused", batch.paused, seen.pausedAt() != null);
            same(name + "done", batch.done, seen.isDone());
        }
    }

    /** Deletes what ended longer ago than it is kept. */
    public void prune(Predicate<Long> isThere) {
        for (Spec job : List.copyOf(jobs.values())) {
            Duration kept = switch (job.state) {
                case COMPLETED -> Duration.ofDays(1);
                case CANCELLED -> Duration.ofDays(7);
                case DISCARDED -> Duration.ofDays(90);
                default -> null;
            };
            if (kept != null
                    && job.finishedAt != null
                    && job.finishedAt.plus(kept).isBefore(now)) {
                if (!isThere.test(job.id)) {
                    jobs.remove(job.id); // what was claimed with others goes with the last of them
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ what is seen

    /** Compares with what the queue lists. */
    public void compare(Map<Long, Job> listed) {
        listed.forEach((id, seen) -> {
            if (!jobs.containsKey(id)) {
                String of = seen.headers().get("pawl-callback-of");
                Callback callback = new Callback(of == null ? 0 : Long.parseLong(of), seen.payload());
                require(callbacks.remove(callback), "job %s should not be there: %s %s", id, seen, seen.payload());
                Spec job = new Spec(id, "kb", now);
                job.payload = seen.payload();
                jobs.put(id, job);
            }
        });
        if (!callbacks.isEmpty()) {
            mayBeLost();
        }
        require(callbacks.isEmpty(), "callbacks that were not enqueued: %s", callbacks);
        released(listed, false);
        for (Spec job : List.copyOf(jobs.values())) {
            Job seen = listed.get(job.id);
            if (seen == null) {
                mayBeLost();
            }
            if (seen == null) {
                throw new Difference("job " + job.id + " (" + job.state + ") is not there");
            }
            compare(job, seen);
        }
    }

    private void compare(Spec job, Job seen) {
        String name = "job " + job.id + ": ";
        if (job.rescueIsOpen) {
            require(seen.state() != JobState.RUNNING, name + "is not rescued");
            rescuedUnheard(job, seen);
        }
        if (job.waits() && seen.state() == JobState.CANCELLED && mayExpire(job)) {
            finish(job, JobState.CANCELLED); // when that is noticed is left open
            job.attempt = seen.attempt();
            job.token = seen.leaseToken();
        }
        if (job.waits() && isStopped(job) && seen.state() == JobState.CANCELLED) {
            finish(job, JobState.CANCELLED);
            job.attempt = seen.attempt();
            job.token = seen.leaseToken();
        }
        boolean isDoomed = job.batch != 0 && theBatch(job.batch).doomed; // one that a person has let go may be spared
        if (job.waits() && isDoomed && seen.state() == JobState.CANCELLED) {
            finish(job, JobState.CANCELLED);
        }
        if (job.waits() && isHeldBack(job) && seen.isParked()) {
            job.waitsForTurn = true; // none of them stands in the queue's line while they are held back
            job.outOfTurn = false;
            job.putAside = false;
        }
        if (job.waits() && isPaused(job) && seen.isHeldBack()) {
            job.putAside = true;
            job.token = seen.leaseToken();
        }
        if (job.waits()) {
            same(name + "waits for its workflow", job.blocked, seen.isBlocked() && !isForged(job));
        }
        if (isForged(job)) {
            Known.FORGED.passBy();
            require(!seen.isBlocked(), name + "waits for no workflow, but is called blocked");
        }
        same(name + "state", job.state, seen.state());
        same(name + "kind", job.kind, seen.kind());
        same(name + "queue", job.queue, seen.queue());
        same(name + "priority", job.priority, seen.priority());
        same(name + "attempt", job.attempt, seen.attempt());
        same(name + "max attempts", job.maxAttempts, seen.maxAttempts());
        same(name + "payload", job.payload, seen.payload());
        same(name + "tags", job.tags, seen.tags());
        same(name + "unique key", job.unique, seen.uniqueKey());
        same(name + "key", job.key, seen.key().orElse(null));
        same(name + "cost", job.cost, seen.cost());
        same(name + "expires", job.expires, seen.expiresAt().orElse(null));
        same(name + "batch", job.batch, seen.batch().orElse(0));
        same(name + "is finished", job.finishedAt != null, seen.finishedAt() != null);
        require(
                seen.leaseToken() >= job.token,
                name + "its token has gone back from %s to %s",
                job.token,
                seen.leaseToken());
        if (job.runs()) {
            same(name + "cancel requested", job.cancelRequested, seen.cancelRequested());
            same(name + "token", job.token, seen.leaseToken());
            Instant lease = seen.leaseExpiresAt();
            if (lease == null || lease.isBefore(job.leaseUntil)) {
                throw new Difference(name + "its lease ends at " + lease);
            }
            job.leaseUntil = lease; // those that were claimed together may share one
        }
        if (job.waits()) {
            same(name + "put aside", job.putAside, seen.isHeldBack());
        }
        if (job.waits() && !job.putAside) {
            same(name + "waits for its turn", job.waitsForTurn, seen.isParked());
            if (!job.waitsForTurn && job.dueUntil != null) {
                Instant due = seen.availableAt();
                if (job.rescued && due.isAfter(job.dueUntil)) {
                    Known.RESCUE_WAITS_BY_DEFAULT.passBy();
                }
                job.rescued = false;
                require(!due.isAfter(job.dueUntil), name + "due %s, which is later than %s", due, job.dueUntil);
                job.due = due;
                job.dueUntil = null;
            } else if (!job.waitsForTurn) {
                same(name + "due", job.due, seen.availableAt());
            }
        }
    }

    private static boolean isForged(Spec job) {
        return job.due.isAfter(FAR) && !job.blocked;
    }

    /** It has not begun in time, or would be tried again too late. */
    private boolean mayExpire(Spec job) {
        return isExpired(job) || (job.expires != null && job.attempt > 0 && !job.due.isBefore(job.expires));
    }
}
