package dev.pawl.internal.quota;

import dev.pawl.internal.store.ConcurrencyKeys.KeyRequest;
import dev.pawl.internal.store.JobKey;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits of concurrency keys, in queues whose keys have a rate. Only keys with jobs that wait in this worker have a limit here.
 * Their starts are requested only while jobs wait, and a limit is forgotten soon after its last job. Not thread-safe: guarded by {@link
 * LocalLimits}.
 */
final class KeyLimits {
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** In the order of each key's first job, so that requests are sent in the order of the jobs. */
    private final Map<JobKey, LocalLimit> limits = new LinkedHashMap<>();
    /** By key and kind. */
    private final Map<JobKey, Map<String, SharedLimiter>> limiters = new HashMap<>();

    private Set<String> queues = Set.of();
    private long sweptNanos = System.nanoTime();

    /**
     * @param rated queues whose keys have a rate now
     * @return whether this set has changed
     */
    boolean rated(Set<String> rated) {
        if (queues.equals(rated)) {
            return false;
        }
        queues = rated;
        limits.keySet().removeIf(key -> !rated.contains(key.queue()));
        limiters.clear();
        return true;
    }

    boolean any() {
        return !queues.isEmpty();
    }

    /** Forgets limiters. Those in use stay valid. */
    void forgetLimiters() {
        limiters.clear();
    }

    /**
     * @param key of a queue whose keys have a rate
     * @param kind of the job
     * @param make creates a limiter for the key's limit
     * @return the limiter, which stays the same while jobs wait for it
     */
    SharedLimiter limiter(JobKey key, String kind, LimiterFactory make) {
        long now = System.nanoTime();
        LocalLimit localLimit = limits.computeIfAbsent(key, one -> LocalLimit.ofKey(Subject.keysOf(one.queue()), now));
        localLimit.wantedAgain(now); // otherwise it might be forgotten before the job is enqueued
        return limiters.computeIfAbsent(key, each -> new HashMap<>())
                .computeIfAbsent(kind, each -> make.create(localLimit));
    }

    /** Creates limiters. */
    @FunctionalInterface
    interface LimiterFactory {
        SharedLimiter create(LocalLimit localLimit);
    }

    @Nullable
    LocalLimit localLimit(JobKey key) {
        return limits.get(key);
    }

    long untilRequest(long now) {
        long wait = Long.MAX_VALUE;
        for (LocalLimit localLimit : limits.values()) {
            wait = Math.min(wait, localLimit.untilRequestOfKey(now));
        }
        return wait;
    }

    List<LocalLimits.DueKeyRequests> due(int most, boolean mayRunMore, Duration goodFor, long now) {
        forgetIdle(now);
        Map<String, List<KeyRequest>> byQueue = new HashMap<>();
        List<LocalLimits.DueKeyRequests> due = new ArrayList<>();
        limits.forEach((key, localLimit) -> {
            if (localLimit.untilRequestOfKey(now) <= 0) {
                var request = localLimit.request(1, mayRunMore, now);
                List<KeyRequest> requests = byQueue.computeIfAbsent(key.queue(), queue -> new ArrayList<>());
                requests.add(new KeyRequest(key.key(), request.starts(), request.largest(), goodFor));
                if (requests.size() == most) {
                    due.add(new LocalLimits.DueKeyRequests(key.queue(), requests));
                    byQueue.remove(key.queue());
                }
            }
        });
        byQueue.forEach((queue, requests) -> due.add(new LocalLimits.DueKeyRequests(queue, requests)));
        return due;
    }

    private void forgetIdle(long now) {
        if (now - sweptNanos < FORGOTTEN_NANOS) {
            return;
        }
        sweptNanos = now;
        limits.entrySet().removeIf(each -> {
            boolean idle = each.getValue().isUnusedFor(FORGOTTEN_NANOS, now);
            if (idle) {
                limiters.remove(each.getKey());
            }
            return idle;
        });
    }
}
