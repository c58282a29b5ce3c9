package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.api.SignalResult;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.engine.StepWorker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * The promises of the queue, as a program without SQL, threads and loops of workers. Written from README, docs and Javadoc. Where these
 * leave something open (which of several jobs is claimed first, how a wait is spread), the model adopts what the queue did, if that was
 * allowed.
 */
public final class Model {
    /** The duration of leases, and the delay after a failure. */
    static final Duration LEASE = Duration.ofSeconds(30);

    static final Duration RETRY = Duration.ofSeconds(1);

    /** The delay after a failure of the kind kb, whose handler has its own policy. */
    static final Duration RETRY_OF_KB = Duration.ofSeconds(3);

    /**
     * Whether the worker claims from lanes. If it does, priorities order jobs within the lane and within rows, but not jobs in the lane
     * relative to jobs in rows.
     */
    final boolean lanes;

    /** The time of the database's clock. */
    public Instant now = Stage.START;

    /** Whether all queues are paused. */
    boolean allPaused;

    /** What users do to jobs. */
    public final ModelPeople people = new ModelPeople(this);

    public ModelBatches batches = new ModelBatches(this);
    ModelClock clock = new ModelClock();
    ModelLimits limits = new ModelLimits();
    ModelSteps steps = new ModelSteps();
    ModelSchedules schedules = new ModelSchedules();
    ModelSlots slots = new ModelSlots();
    ModelRemote remote = new ModelRemote(this);
    ModelRetention retention = new ModelRetention();
    private long claims;
    /** How many jobs the claim of this step has released, because limits did not let them start. */
    private int returned;

    private TreeMap<Long, Spec> jobs = new TreeMap<>();
    /** Deleted jobs whose unique keys may still be taken. */
    private Map<Long, Spec> deleted = new HashMap<>();

    private Set<String> pausedQueues = new HashSet<>();
    /** The job that took a unique key last, by kind and key. */
    private Map<String, Long> lastHolders = new HashMap<>();
    /** How many jobs of one key may run at once, by queue. In queues that are not in the map, one job may run. */
    private Map<String, Integer> keysAtOnce = new HashMap<>();
    /**
     * When the pause of a key ends. From then on, one job of the key at a time is tried, until one has ended. The model does not prescribe
     * which job is tried.
     */
    private Map<String, Instant> pausedKeys = new HashMap<>();

    Model(boolean lanes) {
        this.lanes = lanes;
    }

    /** {@return a copy, to which the model can be set back, for example when a transaction is rolled back} */
    public Model copy() {
        Model copy = new Model(lanes);
        copy.now = now;
        copy.claims = claims;
        copy.clock = clock.copy();
        copy.allPaused = allPaused;
        copy.limits = limits.copy();
        copy.steps = steps.copy();
        copy.schedules = schedules.copy();
        copy.slots = slots.copy();
        copy.retention = retention.copy();
        copy.pausedQueues = new HashSet<>(pausedQueues);
        copy.deleted = new HashMap<>(deleted);
        copy.lastHolders = new HashMap<>(lastHolders);
        copy.keysAtOnce = new HashMap<>(keysAtOnce);
        copy.pausedKeys = new HashMap<>(pausedKeys);
        jobs.forEach((id, job) -> copy.jobs.put(id, job.copy()));
        copy.batches = batches.copy(copy);
        copy.remote = remote.copy(copy);
        return copy;
    }

    /** A step has failed midway: its effects on limits may be missing. */
    public void stepFailed() {
        limits.becomesUncertain();
    }

    /** The database has lost everything that was committed since this copy was made. Its clients do not know this. */
    public void loses(Model before) {
        becomes(before);
        limits.becomesUncertain();
    }

    /** Takes over the state of an earlier copy, except the time. */
    public void becomes(Model before) {
        jobs = before.jobs;
        batches = before.batches.copy(this);
        remote = before.remote.copy(this);
        allPaused = before.allPaused;
        limits = before.limits;
        steps = before.steps;
        schedules = before.schedules;
        before.slots.goesOnAfter(slots);
        slots = before.slots;
        retention = before.retention;
        pausedQueues = before.pausedQueues;
        lastHolders = before.lastHolders;
        deleted = before.deleted;
        keysAtOnce = before.keysAtOnce;
        pausedKeys = before.pausedKeys;
    }

    /**
     * {@return the latest time, not after now, that matters to the queue} If the clock were set back to before this time, it would be open
     * which effects have happened.
     */
    public Instant lastMoment() {
        if (limits.any() || steps.any() || schedules.any() || slots.any() || remote.any()) {
            return now; // their times are not considered below
        }
        Stream<Instant> ofJobs = all().flatMap(job -> Stream.of(
                job.enqueued,
                job.due,
                Objects.requireNonNullElse(job.finishedAt, Instant.MIN),
                Objects.requireNonNullElse(job.uniqueUntil, Instant.MIN)));
        return Stream.concat(ofJobs, pausedKeys.values().stream())
                .filter(moment -> !moment.isAfter(now))
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    public Stream<Spec> all() {
        return jobs.values().stream();
    }

    void add(Spec job) {
        jobs.put(job.id, job);
    }

    /** {@return whether the job existed} Deletes the job. Its unique key stays taken for the key's period. */
    boolean delete(Spec job) {
        if (job.uniqueUntil != null) {
            deleted.put(job.id, job);
        }
        return remove(job);
    }

    /** {@return whether the job existed} Removes the job without trace. */
    boolean remove(Spec job) {
        return jobs.remove(job.id) != null;
    }

    public @Nullable Spec job(long id) {
        return jobs.get(id);
    }

    private Spec the(long id) {
        Spec job = jobs.get(id);
        if (job == null) {
            throw new Difference("there is no job " + id);
        }
        return job;
    }

    /** {@return the job with this index, modulo the number of jobs; empty if there are none} */
    public OptionalLong place(int place) {
        return jobs.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(List.copyOf(jobs.keySet()).get(place % jobs.size()));
    }

    // ------------------------------------------------------------------------------------------------ enqueue

    /** Enqueues a job. If its unique key is taken, the existing job is kept or replaced. */
    public void enqueue(Request wanted, EnqueueResult result) {
        Spec holder = wanted.unique() == null ? null : holder(wanted);
        if (holder == null) {
            require(result instanceof EnqueueResult.Inserted, "its unique key is free, but the result is %s", result);
            require(!jobs.containsKey(result.jobId()), "the id %s was given out before", result.jobId());
            Spec job = new Spec(result.jobId(), wanted.kind(), now);
            wanted.writeTo(job, now);
            takesKeyOfExpired(job);
            jobs.put(job.id, job);
            lastHolders.put(job.kind + " " + job.unique, job.id);
            batches.add(job, wanted);
        } else if (wanted.replace()
                && holder.waits()
                && !willNotRun(holder)
                && holder.batch == 0
                && holder.key == null
                && !steps.anyOf(holder.id)) {
            same("enqueue", new EnqueueResult.Replaced(holder.id), result);
            holder.attempt = 0;
            wanted.writeTo(holder, now);
        } else {
            same("enqueue", new EnqueueResult.Duplicate(holder.id), result);
        }
    }

    /** An enqueue was refused, which is allowed only if its batch takes no more jobs. */
    void refused(Request wanted, RuntimeException refusal) {
        batches.requireRefused(wanted, refusal);
    }

    Optional<Long> holderOf(Request wanted) {
        return Optional.ofNullable(holder(wanted)).map(job -> job.id);
    }

    /** {@return whether a job has not ended, and can still run} */
    boolean isLive(@Nullable Spec job) {
        return job != null && job.lives() && !willNotRun(job);
    }

    /**
     * {@return whether a job has expired before its start} A job that was claimed too late counts, if its worker failed before it could
     * cancel the job.
     */
    private boolean willNotRun(Spec job) {
        return (job.waits() && isExpired(job)) || (job.runs() && job.isTooLate);
    }

    /** Takes the job's unique key away from expired jobs that have it. */
    void takesKeyOfExpired(Spec job) {
        all().filter(other -> other.lives()
                        && willNotRun(other)
                        && other.kind.equals(job.kind)
                        && job.unique != null
                        && job.unique.equals(other.unique))
                .forEach(other -> other.hasGivenItsKey = true);
    }

    /** {@return the job that has the unique key; null if the key is free} */
    private @Nullable Spec holder(Request wanted) {
        List<Spec> holders = Stream.concat(all(), deleted.values().stream())
                .filter(job -> job.kind.equals(wanted.kind())
                        && wanted.unique() != null
                        && wanted.unique().equals(job.unique)
                        && takesKey(job, wanted.scope()))
                .toList();
        return holders.isEmpty() ? null : holders.get(holders.size() - 1);
    }

    private boolean takesKey(Spec job, UniqueWhile scope) {
        if (job.uniqueUntil != null && now.isBefore(job.uniqueUntil)) {
            return true;
        }
        if (deleted.containsKey(job.id)) {
            return false;
        }
        return switch (scope) {
            case WAITING ->
                lastHolders.getOrDefault(job.kind + " " + job.unique, 0L) == job.id
                        && job.waits()
                        && !willNotRun(job)
                        && !steps.anyOf(job.id);
            case LIVE -> isLive(job);
            case LIVE_OR_DISCARDED -> isLive(job) || job.state == JobState.DISCARDED;
            case KEPT -> true;
        };
    }

    boolean isExpired(Spec job) {
        return job.expires != null && !now.isBefore(job.expires);
    }

    // ------------------------------------------------------------------------------------------------ workers

    /** {@return whether a worker may begin the job now} */
    boolean mayBegin(Spec job, String queue, List<String> kinds) {
        return mayBeTaken(job, queue, kinds) && !isExpired(job) && !batches.isPaused(job) && !batches.isStopped(job);
    }

    private boolean mayBeTaken(Spec job, String queue, List<String> kinds) {
        return job.waits()
                && job.queue.equals(queue)
                && kinds.contains(job.kind)
                && !job.pending
                && !allPaused
                && !pausedQueues.contains(queue)
                && !job.blocked
                && !job.paused
                && !now.isBefore(job.due);
    }

    /** A worker has claimed jobs, those of the smallest priority first. */
    public void claim(
            StepWorker worker, String queue, List<String> kinds, int most, List<Job> claimed, long statements) {
        boolean limited = limits.concern(queue, kinds);
        long others =
                all().filter(job -> job.waits() && job.queue.equals(queue)).count();
        require(
                limited || statements <= 60 + 4L * claimed.size() + others / 10,
                "a claim took %s statements, with %s jobs waiting",
                statements,
                others);
        clock.reads(worker, now);
        List<Spec> allowed = all().filter(job -> mayBegin(job, queue, kinds)).toList();
        Set<Long> taken = new HashSet<>();
        for (Job each : claimed) {
            Spec job = the(each.id());
            require(allowed.contains(job), "job %s was claimed, and may not begin", each.id());
            require(taken.add(each.id()), "job %s was claimed twice", each.id());
        }
        List<Spec> left =
                allowed.stream().filter(job -> !taken.contains(job.id)).toList();
        // A job that has expired, or whose batch is stopped or paused, does not start, but counts towards the size of
        // the claim.
        boolean anyOther = all().anyMatch(job -> mayBeTaken(job, queue, kinds) && !mayBegin(job, queue, kinds));
        if (!anyOther && !limited) {
            same("jobs claimed of " + queue, Math.min(most, allowed.size()), claimed.size());
        }
        if (!lanes && !limited && !left.isEmpty() && !claimed.isEmpty()) {
            int smallest = left.stream().mapToInt(job -> job.priority).min().orElseThrow();
            for (long id : taken) {
                require(the(id).priority <= smallest, "job %s was claimed before one with a smaller priority", id);
            }
        }
        claimed.forEach(this::runs);
        limits.claimed(
                worker,
                queue,
                kinds,
                claimed.stream().map(each -> the(each.id())).toList(),
                left,
                claim -> all().anyMatch(job -> job.claim == claim && job.runs() && now.isBefore(job.leaseUntil)),
                anyOther || claimed.size() + returned >= most || !clock.believes(worker, now),
                now,
                clock.ofWorkers(now));
    }

    private Spec runs(Job each) {
        Spec job = the(each.id());
        require(each.leaseToken() > job.token, "the token of job %s has not grown", each.id());
        job.state = JobState.RUNNING;
        job.attempt++;
        claims++;
        job.claim = claims;
        job.token = each.leaseToken();
        leased(job);
        job.hasEnded = false;
        job.cancelRequested = false;
        job.notBegun = false;
        job.isTooLate = false;
        same("attempt of the claimed job " + job.id, job.attempt, each.attempt());
        return job;
    }

    /** Jobs were claimed, but the worker did not get the reply. In a lane, jobs of other kinds may be among them. */
    public void taken(String queue, List<String> kinds, List<Job> claimed) {
        for (Job each : claimed) {
            Spec job = the(each.id());
            boolean isForeign = lanes && !kinds.contains(job.kind);
            require(
                    mayBeTaken(job, queue, isForeign ? List.of(job.kind) : kinds),
                    "job %s was claimed, and may not begin",
                    each.id());
            runs(each).notBegun = true;
            job.isTooLate = isExpired(job);
        }
        limits.becomesUncertain();
    }

    /** Jobs were claimed, and released again because limits did not let them start. */
    public void returned(List<Long> ids) {
        returned = ids.size();
        for (long id : ids) {
            the(id).dueUntil = now;
            limits.refused(the(id), now);
        }
    }

    /** {@return the number of the claim under which a job runs} */
    public long claimOf(long id) {
        return the(id).claim;
    }

    /** {@return whether an outcome counts, because the job runs under this claim} */
    public boolean isHeld(long id, long claim) {
        Spec job = jobs.get(id);
        return job != null && job.runs() && job.claim == claim;
    }

    /** A handler has ended. */
    public void end(long id, long claim, How how, boolean accepted) {
        limits.left(claim);
        same("outcome " + how + " of job " + id + " accepted", isHeld(id, claim), accepted);
        if (!accepted) {
            return;
        }
        Spec job = the(id);
        if (how == How.UNAVAILABLE_30S) {
            limits.unavailable(job.kind, now.plusSeconds(30), now);
        } else if (how != How.KEY_UNAVAILABLE_1M && how != How.RELEASE) {
            limits.available(job, now);
        }
        ended(job, how);
    }

    /** {@return the state of the job after a remote run has ended} */
    JobState endRemote(long id, How how) {
        ended(the(id), how);
        return the(id).state;
    }

    private void ended(Spec job, How how) {
        switch (how) {
            case COMPLETE, COMPLETE_IN_TRANSACTION -> finish(job, JobState.COMPLETED);
            case COMPLETE_WITH_7 -> {
                finish(job, JobState.COMPLETED);
                job.result = 7;
                job.hadResult = true;
            }
            case CANCEL -> finish(job, JobState.CANCELLED);
            case DISCARD -> finish(job, JobState.DISCARDED);
            case FAIL, UNREADABLE -> failed(job, retry(job));
            case RETRY_AFTER_20S -> failed(job, Duration.ofSeconds(20));
            case SNOOZE_20S -> snoozed(job, Duration.ofSeconds(20));
            case UNAVAILABLE_30S -> snoozed(job, Duration.ofSeconds(5));
            case SNOOZE_0 -> snoozed(job, Duration.ZERO);
            case KEY_UNAVAILABLE_1M -> {
                snoozed(job, job.key == null ? Duration.ofMinutes(1) : Duration.ofSeconds(5));
                if (job.key != null) {
                    pauseKey(job.queue, job.key, Duration.ofMinutes(1), false);
                }
            }
            case RELEASE -> released(job);
        }
    }

    /** The transaction of a run conflicted with another one: the job is released, and waits for some seconds at most. */
    public void conflict(long id, long claim) {
        limits.left(claim);
        require(isHeld(id, claim), "the run of job %s is given back, and was not held", id);
        Spec job = the(id);
        snoozed(job, Duration.ZERO);
        job.dueUntil = now.plusSeconds(6);
    }

    private static Duration retry(Spec job) {
        return job.retry != null ? job.retry : job.kind.equals("kb") ? RETRY_OF_KB : RETRY;
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

    /** A run has ended because its job waits for a signal or a moment. */
    void suspended(long id, Instant until) {
        limits.left(the(id).claim);
        snoozed(the(id), Duration.between(now, until));
    }

    /** A signal was sent: a job that waits for it becomes available, or blocked if its key is paused. */
    void signal(long id, String name, String value, SignalResult result) {
        Spec job = jobs.get(id);
        boolean waited = steps.signal(id, job, name, value, result);
        if (waited && job != null && job.waits() && !job.pending && now.isBefore(job.due)) {
            job.due = now;
            job.dueUntil = null;
            job.blocked |= isOnHold(job);
        }
    }

    /** Compares the steps of some jobs with the queue's. */
    void compareSteps(Set<Long> of, LongFunction<List<JobStep>> look) {
        steps.compare(of, jobs.keySet(), look);
    }

    void compareResults(LongFunction<@Nullable Integer> look) {
        all().filter(job -> job.hadResult)
                .forEach(job -> same("result of job " + job.id, job.result, look.apply(job.id)));
    }

    /** Releases a run that has not started: its job is available at its old position. */
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

    void finish(Spec job, JobState state) {
        job.state = state;
        job.finishedAt = now;
        job.result = null;
        job.cancelRequested = false;
        job.blocked = false;
        job.outOfTurn = false;
        job.paused = false;
        job.pending = false;
        job.toCancel = false;
        batches.ended(job);
    }

    /** A worker has renewed a lease, if the run still held it. */
    public void renew(long id, long claim, boolean renewed) {
        same("lease of job " + id + " renewed", isHeld(id, claim), renewed);
        if (renewed) {
            leased(the(id));
        }
    }

    /** {@return whether the cancellation of the job is requested} A remote worker has renewed its lease. */
    boolean renewRemote(long id) {
        leased(the(id));
        return the(id).cancelRequested;
    }

    private void leased(Spec job) {
        job.leaseUntil = now.plus(LEASE);
        job.givenUp = clock.ofWorkers(now).plus(LEASE).plus(LEASE);
    }

    /** The database's clock was set forward or back. */
    public void stepClock(Duration length) {
        now = now.plus(length);
        clock.step(length);
    }

    /** All workers have died, and their runs with them. */
    public void restart() {
        limits.crashed();
    }

    /**
     * A worker could not reach the database for a while. Handlers have ended in the meantime.
     *
     * @param ended the claims of these handlers' runs
     */
    void outage(StepWorker worker, Set<Long> ended) {
        all().filter(job -> job.runs() && ended.contains(job.claim)).forEach(job -> job.hasEnded = true);
        clock.outage(worker, now);
    }

    /**
     * Jobs whose lease has expired are retried by the policy of their kind, or discarded. A worker does not rescue its own run, unless the
     * lease expired at least one lease duration ago and the handler still runs.
     *
     * @param worker that rescues
     * @param held the claims of its own runs
     */
    void rescue(StepWorker worker, Set<Long> held) {
        rescue(worker, held, job -> true);
    }

    /**
     * A worker without runs has failed in the middle of a rescue.
     *
     * @param isRescued which of the expired jobs it has rescued
     */
    public void rescue(StepWorker worker, Predicate<Spec> isRescued) {
        rescue(worker, Set.of(), isRescued);
    }

    private void rescue(StepWorker worker, Set<Long> held, Predicate<Spec> isRescued) {
        List<Spec> expired =
                all().filter(job -> job.runs() && !now.isBefore(job.leaseUntil)).toList();
        if (!expired.isEmpty() && clock.believes(worker, now)) {
            clock.reads(worker, now);
        }
        if (!clock.believes(worker, now)) {
            return;
        }
        List<Spec> abandoned = expired.stream()
                .filter(job -> !held.contains(job.claim)
                        || (!job.hasEnded && !clock.ofWorkers(now).isBefore(job.givenUp)))
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
                again(job, job.attempt == 1 ? Duration.ZERO : retry(job));
                // Jobs that ran together return one at a time, so a job may wait longer than its policy says.
                job.dueUntil = now.plus(retry(job)).plusSeconds(10L * (abandoned.size() - 1));
            }
        }
    }

    /** Rescues a job whose worker did not get the reply to its claim. It is left open whether the claim counts as an attempt. */
    private void rescuedWithLostReply(Spec job, Job seen) {
        job.rescueIsOpen = false;
        job.notBegun = false;
        boolean isCharged = seen.attempt() == job.attempt;
        if (job.cancelRequested) {
            finish(job, JobState.CANCELLED);
            job.attempt = seen.attempt();
        } else if (!isCharged) {
            released(job);
        } else if (job.attempt >= job.maxAttempts) {
            finish(job, JobState.DISCARDED);
        } else {
            again(job, Duration.ZERO);
            job.dueUntil = now.plus(Duration.ofMinutes(10)); // jobs that are rescued together return one at a time
        }
    }

    /**
     * All workers are suspended, and no other program wakes them.
     *
     * @param length how long; empty if without end
     */
    void sleep(Optional<Duration> length) {
        Instant until = length.map(now::plus).orElse(Instant.MAX);
        schedules.sleep(until);
        for (Spec job : jobs.values()) {
            Instant wakes = wakes(job);
            require(
                    !until.isAfter(wakes),
                    "workers sleep until %s, and job %s is to be seen to at %s",
                    until,
                    job.id,
                    wakes);
        }
    }

    /** {@return the latest time at which a worker must resume for a job} */
    private Instant wakes(Spec job) {
        if (job.runs()) {
            return job.leaseUntil;
        }
        if (job.paused && batches.isToBeReleased(job)) {
            return now;
        }
        if (!job.waits() || allPaused || pausedQueues.contains(job.queue) || job.paused) {
            return Instant.MAX;
        }
        if (job.pending) {
            return job.toCancel ? now : Instant.MAX;
        }
        if (job.blocked && isOnHold(job)) {
            Instant held = pausedKeys.getOrDefault(nameOfKey(job), Instant.MIN);
            return held.isAfter(job.due) ? held : job.due;
        }
        if (job.blocked && !now.isBefore(job.due)) {
            return Instant.MAX; // it is released when another job of its key ends
        }
        Instant held = limits.pausedUntil(job);
        return held.isAfter(job.due) ? held : job.due;
    }

    // ------------------------------------------------------------------------------------------------ keys

    /** {@return whether a job was released by its key, and has not ended} */
    private boolean isInFlight(Spec job) {
        if (job.runs()) {
            return true;
        }
        return job.waits()
                && !job.blocked
                && !job.pending
                && (goOneAfterTheOther(job.queue) || (!job.paused && !now.isBefore(job.due)));
    }

    private boolean goOneAfterTheOther(String queue) {
        return keysAtOnce.getOrDefault(queue, 1) == 1;
    }

    /**
     * The next jobs of each key are released: smallest priority first, then in the order of their enqueues.
     *
     * @param all whether a worker has released every job that it may release; otherwise some of them may still be blocked
     */
    private void released(Map<Long, Job> listed, boolean all) {
        Map<String, List<Spec>> lines = new LinkedHashMap<>();
        all().filter(job -> job.key != null && job.lives())
                .forEach(job -> lines.computeIfAbsent(nameOfKey(job), any -> new ArrayList<>())
                        .add(job));
        for (List<Spec> line : lines.values()) {
            int most = keysAtOnce.getOrDefault(line.get(0).queue, 1);
            Instant held = pausedKeys.get(nameOfKey(line.get(0)));
            if (held != null && now.isBefore(held)) {
                most = 0;
            }
            long inFlight = line.stream().filter(this::isInFlight).count();
            long outOfTurn = line.stream()
                    .filter(job -> job.outOfTurn && isInFlight(job))
                    .count();
            long must = all ? Math.max(0, (held == null ? most : Math.min(most, 1)) - inFlight) : 0;
            List<Spec> next = line.stream()
                    .filter(job -> job.blocked && !job.paused && !now.isBefore(job.due))
                    .sorted(Comparator.comparingInt((Spec job) -> job.priority).thenComparingLong(job -> job.id))
                    .limit(Math.max(0, most - inFlight + outOfTurn))
                    .toList();
            for (int i = 0; i < next.size(); i++) {
                Spec job = next.get(i);
                Job seen = listed.get(job.id);
                if (i < must || (seen != null && seen.state() != JobState.BLOCKED)) {
                    job.blocked = false;
                    job.due = now;
                    job.dueUntil = now;
                }
            }
            for (Spec job : line) {
                if (job.outOfTurn && job.waits() && !now.isBefore(job.due)) {
                    job.dueUntil = job.dueUntil == null ? now : job.dueUntil;
                }
            }
        }
    }

    /** Adopts which jobs of each key were released, if that was allowed. */
    void mayReleaseKeys(Map<Long, Job> listed) {
        released(listed, false);
    }

    /** A worker has released all jobs that their keys allow. */
    public void releaseKeys(Map<Long, Job> listed) {
        released(listed, true);
    }

    static String nameOfKey(Spec job) {
        return job.queue + " " + job.key;
    }

    boolean isOnHold(Spec job) {
        return job.key != null && now.isBefore(pausedKeys.getOrDefault(nameOfKey(job), Instant.MIN));
    }

    /** A user has paused a key, or a run has reported that the key's resource is unavailable. */
    public void pauseKey(String queue, String key, Duration length, boolean person) {
        String name = queue + " " + key;
        if (person || !now.isBefore(pausedKeys.getOrDefault(name, Instant.MIN))) {
            pausedKeys.put(name, now.plus(length));
        }
    }

    /** Requires that every paused key is listed. A key whose pause has ended may also be listed. */
    void compareHeldKeys(Map<String, Instant> seen) {
        pausedKeys.forEach((name, until) -> {
            if (now.isBefore(until) || seen.containsKey(name)) {
                same("key " + name + " is on hold until", until, seen.get(name));
            }
        });
        require(pausedKeys.keySet().containsAll(seen.keySet()), "keys that are on hold: %s", seen);
    }

    public void resumeKey(String queue, String key, boolean opened) {
        Instant held = pausedKeys.remove(queue + " " + key);
        require(opened || held == null || !now.isBefore(held), "the key was on hold, and is not opened");
        require(!opened || held != null, "the key was not on hold, and is opened");
    }

    public void keysAtOnce(String queue, int most) {
        if (most == 0) {
            keysAtOnce.remove(queue);
        } else {
            keysAtOnce.put(queue, most);
        }
    }

    // ------------------------------------------------------------------------------------------------ queues, pruning

    public void pauseQueue(String queue) {
        pausedQueues.add(queue);
    }

    boolean isPaused(String queue) {
        return pausedQueues.contains(queue);
    }

    public void resumeQueue(String queue, boolean resumed) {
        same("resume", pausedQueues.remove(queue), resumed);
    }

    /** {@return the waiting jobs that are to be cancelled, because a dependency has failed or a batch was stopped} */
    List<Long> doomed() {
        return all().filter(job -> (job.pending && job.toCancel) || (job.waits() && batches.isToBeCancelled(job)))
                .map(job -> job.id)
                .toList();
    }

    /** Deletes finished jobs that are older than their retention. */
    public void prune(Predicate<Long> isThere) {
        for (Spec job : List.copyOf(jobs.values())) {
            if (job.finishedAt != null && job.finishedAt.plus(retention.of(job)).isBefore(now)) {
                boolean isGone = !isThere.test(job.id);
                if (isGone) {
                    boolean unused = delete(job);
                }
                // jobs that were claimed together in a lane are deleted with the last of them
                require(isGone || lanes, "job %s is kept, though its time is over", job.id);
            }
        }
    }

    // ------------------------------------------------------------------------------------------------ what is seen

    /** Compares the jobs with those that the queue lists. */
    public void compare(Map<Long, Job> listed) {
        for (Spec job : List.copyOf(jobs.values())) {
            Job seen = listed.get(job.id);
            if (seen != null) {
                rescuedByThen(job, seen);
                endedByItself(job, seen);
            }
        }
        new TreeMap<>(listed).forEach((id, seen) -> { // a callback may lead to another one
            if (!jobs.containsKey(id)) {
                long batch = batches.takeCallback(id, seen);
                Spec job = new Spec(id, "kb", now);
                job.payload = seen.payload();
                job.batch = batch;
                jobs.put(id, job);
                endedByItself(job, seen);
                if (job.waits() && seen.state() == JobState.CANCELLED && batches.isCancelledNow(job)) {
                    finish(job, JobState.CANCELLED);
                }
            }
        });
        batches.requireNoCallbacks();
        released(listed, false);
        for (Spec job : List.copyOf(jobs.values())) {
            Job seen = listed.get(job.id);
            if (seen == null) {
                throw new Difference("job " + job.id + " (" + job.state + ") is not there");
            }
            compare(job, seen);
        }
    }

    private void rescuedByThen(Spec job, Job seen) {
        if (job.rescueIsOpen) {
            require(seen.state() != JobState.RUNNING, "job %s is not rescued", job.id);
            rescuedWithLostReply(job, seen);
        }
    }

    /** A worker has found a job that must not start any more, and cancelled it. */
    private void endedByItself(Spec job, Job seen) {
        if (job.waits() && seen.state() == JobState.CANCELLED && mayExpire(job)) {
            finish(job, JobState.CANCELLED); // it is left open when a worker notices
            job.attempt = seen.attempt();
            job.token = seen.leaseToken();
        }
        if (job.waits() && batches.isWithinStopped(job) && seen.state() == JobState.CANCELLED) {
            finish(job, JobState.CANCELLED);
            job.attempt = seen.attempt();
            job.token = seen.leaseToken();
        }
        if (job.pending && seen.state() == JobState.CANCELLED && batches.isDoomed(job)) {
            finish(job, JobState.CANCELLED);
        }
    }

    /** {@return whether the listed job equals the model's} */
    public boolean isAsSeen(long id, @Nullable Job seen) {
        if (seen == null) {
            return false;
        }
        Model copy = copy();
        try {
            copy.compare(copy.the(id), seen);
            return true;
        } catch (Difference changed) {
            return false;
        }
    }

    private void compare(Spec job, Job seen) {
        String name = "job " + job.id + ": ";
        if (job.waits() && !job.paused && isOnHold(job) && seen.state() == JobState.BLOCKED) {
            if (!job.blocked && goOneAfterTheOther(job.queue) && now.isBefore(job.due)) {
                job.due = now; // it keeps its position, and is released when its key is resumed
            }
            job.blocked = true; // while the key is on hold, none of its jobs is available
            job.outOfTurn = false;
        }
        if (job.waits()
                && !job.blocked
                && !job.paused
                && job.key != null
                && !goOneAfterTheOther(job.queue)
                && now.isBefore(job.due)
                && seen.state() == JobState.BLOCKED) {
            job.blocked = true; // while it waits for a retry it makes room for others of its key
            job.outOfTurn = false;
        }
        if (job.waits() && batches.isPaused(job) && seen.state() == JobState.PAUSED) {
            job.paused = true;
            job.token = seen.leaseToken();
            // Other jobs of its key do not wait for it, even if the limit is removed in the meantime.
            job.outOfTurn |= !goOneAfterTheOther(job.queue);
        }
        if (job.paused) {
            batches.mayRelease(job, seen);
        }
        same(name + "state", job.shown(), seen.state());
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
            job.leaseUntil = lease; // jobs that were claimed together may share a lease
        }
        if (job.waits() && !job.paused) {
            if (!job.blocked && job.dueUntil != null) {
                Instant due = seen.availableAt();
                require(!due.isAfter(job.dueUntil), name + "due %s, which is later than %s", due, job.dueUntil);
                require(!due.isBefore(job.due), name + "due %s, which is sooner than %s", due, job.due);
                job.due = due;
                job.dueUntil = null;
            } else if (!job.blocked) {
                same(name + "due", job.due, seen.availableAt());
            }
        }
    }

    /** {@return whether a job has expired before its start, or would be retried after it expires} */
    private boolean mayExpire(Spec job) {
        return isExpired(job) || (job.expires != null && job.attempt > 0 && !job.due.isBefore(job.expires));
    }
}
