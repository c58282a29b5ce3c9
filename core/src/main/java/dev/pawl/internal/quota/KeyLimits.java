package dev.pawl.internal.quota;

import dev.pawl.internal.store.KeyTurns.JobKey;
import dev.pawl.internal.store.KeyTurns.KeyAsk;
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
 * What the rate of each key allows this worker: of queues whose keys have one, and of keys with jobs that wait here. Asked for only
 * while they wait, and forgotten soon after. Not thread-safe: guarded by {@link LocalLimits}.
 */
final class KeyLimits {
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** In the order in which they were first wanted, so that those are asked for first whose jobs come first. */
    private final Map<JobKey, LocalLimit> localLimits = new LinkedHashMap<>();
    /** By key and kind. */
    private final Map<JobKey, Map<String, Limiter>> limiters = new HashMap<>();

    private Set<String> queues = Set.of();
    private long sweptNanos = System.nanoTime();

    /**
     * @param rated queues whose keys have a rate now
     * @return whether they are others than before
     */
    boolean rated(Set<String> rated) {
        if (queues.equals(rated)) {
            return false;
        }
        queues = rated;
        localLimits.keySet().removeIf(key -> !rated.contains(key.queue()));
        limiters.clear();
        return true;
    }

    boolean any() {
        return !queues.isEmpty();
    }

    /** What is in use stays so. */
    void forgetLimiters() {
        limiters.clear();
    }

    /**
     * @param key of a queue whose keys have a rate
     * @param make makes a gate for the key's quota
     * @return the gate, always the same one while jobs wait at it
     */
    Limiter limiter(JobKey key, String kind, LimiterFactory make) {
        long now = System.nanoTime();
        LocalLimit localLimit = localLimits.computeIfAbsent(key, one -> LocalLimit.ofKey(Subject.keysOf(one.queue()), now));
        localLimit.wantedAgain(now); // or it might be forgotten before the job has joined
        return limiters.computeIfAbsent(key, each -> new HashMap<>()).computeIfAbsent(kind, each -> make.create(localLimit));
    }

    /** Makes gates. */
    @FunctionalInterface
    interface LimiterFactory {
        Limiter create(LocalLimit localLimit);
    }

    @Nullable
    LocalLimit localLimit(JobKey key) {
        return localLimits.get(key);
    }

    long untilRequest(long now) {
        long wait = Long.MAX_VALUE;
        for (LocalLimit localLimit : localLimits.values()) {
            wait = Math.min(wait, localLimit.untilRequestOfKey(now));
        }
        return wait;
    }

    List<LocalLimits.DueKeys> due(int most, boolean mayRunMore, Duration goodFor, long now) {
        forgetIdle(now);
        Map<String, List<KeyAsk>> byQueue = new HashMap<>();
        List<LocalLimits.DueKeys> due = new ArrayList<>();
        localLimits.forEach((key, localLimit) -> {
            if (localLimit.untilRequestOfKey(now) <= 0) {
                var request = localLimit.request(1, mayRunMore, now);
                List<KeyAsk> requests = byQueue.computeIfAbsent(key.queue(), queue -> new ArrayList<>());
                requests.add(new KeyAsk(key.key(), request.starts(), request.largest(), goodFor));
                if (requests.size() == most) {
                    due.add(new LocalLimits.DueKeys(key.queue(), requests));
                    byQueue.remove(key.queue());
                }
            }
        });
        byQueue.forEach((queue, requests) -> due.add(new LocalLimits.DueKeys(queue, requests)));
        return due;
    }

    private void forgetIdle(long now) {
        if (now - sweptNanos < FORGOTTEN_NANOS) {
            return;
        }
        sweptNanos = now;
        localLimits.entrySet().removeIf(each -> {
            boolean idle = each.getValue().isUnusedFor(FORGOTTEN_NANOS, now);
            if (idle) {
                limiters.remove(each.getKey());
            }
            return idle;
        });
    }
}
