package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Admission;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a worker, and how much of it is in use. If all weights are 1 and the capacity is not shared, the number of threads limits
 * the jobs, and nothing is counted here. Guarded by the lock of the {@link Buffer}, except {@link #count}.
 *
 * <p>A job that needs more capacity than is free may be overtaken by jobs that fit, until these have used as much capacity as the worker
 * has. From then on, freed capacity is reserved for the large job. The count survives a release of the large job, so that the job cannot be
 * overtaken forever.
 */
final class Capacity {
    private final Map<String, Integer> weights;
    private final Map<String, Together> together;
    /** Null if the worker shares its capacity with no other. */
    private final SharedCapacity.@Nullable Member shared;

    private final boolean startsLater;

    private volatile int count;
    private int taken;
    private int passed;

    /**
     * @param count the capacity
     * @param weights of kinds with a weight above 1
     */
    Capacity(int count, Map<String, Integer> weights) {
        this(count, weights, Map.of());
    }

    /**
     * @param count the capacity
     * @param weights of kinds with a weight above 1
     * @param together of kinds whose handlers take several jobs in one call, which needs as much as one job
     */
    Capacity(int count, Map<String, Integer> weights, Map<String, Together> together) {
        this(count, weights, together, null, false);
    }

    /**
     * @param count the capacity
     * @param weights of kinds with a weight above 1
     * @param together of kinds whose handlers take several jobs in one call, which needs as much as one job
     * @param shared what this worker and others use together; null for none
     * @param startsLater whether the handlers of some kinds say themselves when a job starts
     */
    Capacity(
            int count,
            Map<String, Integer> weights,
            Map<String, Together> together,
            SharedCapacity.@Nullable Member shared,
            boolean startsLater) {
        this.count = count;
        this.weights = weights;
        this.together = together;
        this.shared = shared;
        this.startsLater = startsLater;
    }

    /** {@return what this worker and others use together; null if it shares with no other} */
    SharedCapacity.@Nullable Member shared() {
        return shared;
    }

    /** {@return the capacity that the worker has or could have now} Safe to call from any thread. */
    int reach() {
        return shared == null ? count : Math.min(count, shared.reach());
    }

    /**
     * @param last the group of another job
     * @return what this job waits for besides a handler; {@code last} if it is the same
     */
    WaitGroup group(WaitGroup last, Job job, Admission.@Nullable Limiter limiter) {
        int weight = weight(job);
        Together several = together.isEmpty() ? null : together.get(job.kind());
        return last.is(limiter, weight, several) ? last : new WaitGroup(limiter, weight, several);
    }

    /** {@return how many jobs of a kind one call of its handler takes; they share the weight of one} */
    int together(String kind) {
        Together several = together.get(kind);
        return several == null ? 1 : several.size();
    }

    /** {@return how many jobs one call takes at most, of all kinds} */
    int mostTogether() {
        return together.values().stream().mapToInt(Together::size).max().orElse(1);
    }

    /** {@return whether the handlers of some kinds take several jobs in one call} */
    boolean takesSeveral() {
        return !together.isEmpty();
    }

    /** {@return whether the handler of this kind takes several jobs in one call} */
    boolean takesSeveral(String kind) {
        return together.containsKey(kind);
    }

    /**
     * {@return whether jobs may start long after their claim, because a call waits for more jobs, other workers take the shared capacity,
     * or a remote worker reports the start}
     */
    boolean anyWait() {
        return startsLater || shared != null || together.values().stream().anyMatch(each -> each.waitNanos() > 0);
    }

    /** {@return whether any idle handler can start any job at once and without other jobs} */
    boolean isPlain() {
        return !startsLater && together.isEmpty() && !isCounted();
    }

    /** {@return the capacity} Safe to call from any thread. */
    int count() {
        return count;
    }

    void count(int newCount) {
        count = newCount;
    }

    /** {@return whether some jobs have a weight above 1, or the capacity is shared} */
    boolean isCounted() {
        return !weights.isEmpty() || shared != null;
    }

    /** {@return the largest capacity that a kind needs} */
    int largest() {
        return weights.values().stream().mapToInt(this::needs).max().orElse(1);
    }

    int weight(Job job) {
        return weights.isEmpty() ? 1 : weights.getOrDefault(job.kind(), 1);
    }

    /** {@return how much capacity a job of this weight needs} If the worker was scaled down below the weight, it runs the job alone. */
    int needs(int weight) {
        return Math.min(weight, count);
    }

    /** {@return how much capacity these jobs need together} */
    int needs(Collection<HeldJob> jobs) {
        return jobs.stream().mapToInt(job -> needs(weight(job.job()))).sum();
    }

    int free() {
        int own = Math.max(0, count - taken);
        return shared == null || own == 0 ? own : Math.min(own, shared.room());
    }

    void take(HeldJob job, int units) {
        if (isCounted()) {
            int got = shared == null ? units : shared.take(units);
            taken += got;
            job.takesCapacity(got);
        }
    }

    /** Frees the capacity of a job that will not start, or has ended. Idempotent. */
    void leave(HeldJob job) {
        if (shared != null) {
            shared.endLogging(job);
        }
        release(job);
    }

    /** Frees the capacity of a job that may start later. Idempotent. */
    void release(HeldJob job) {
        int freed = job.releaseCapacity();
        taken -= freed;
        if (shared != null) {
            shared.release(freed);
        }
    }

    /** {@return whether another job may overtake the one that waits for capacity} */
    boolean mayPass() {
        return passed < count;
    }

    void passed(int units) {
        passed += units;
    }

    /** Counts overtaking from zero again, because a large job has started, and no other large job was waiting ahead of it. */
    void reached() {
        passed = 0;
    }
}
