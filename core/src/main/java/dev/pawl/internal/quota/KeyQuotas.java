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
 * while they wait, and forgotten soon after. Not thread-safe: guarded by {@link Quotas}.
 */
final class KeyQuotas {
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** In the order in which they were first wanted, so that those are asked for first whose jobs come first. */
    private final Map<JobKey, Quota> quotas = new LinkedHashMap<>();
    /** By key and kind. */
    private final Map<JobKey, Map<String, Gate>> gates = new HashMap<>();

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
        quotas.keySet().removeIf(key -> !rated.contains(key.queue()));
        gates.clear();
        return true;
    }

    boolean any() {
        return !queues.isEmpty();
    }

    /** What is in use stays so. */
    void forgetGates() {
        gates.clear();
    }

    /**
     * @param key of a queue whose keys have a rate
     * @param make makes a gate for the key's quota
     * @return the gate, always the same one while jobs wait at it
     */
    Gate gate(JobKey key, String kind, Gates make) {
        long now = System.nanoTime();
        Quota quota = quotas.computeIfAbsent(key, one -> Quota.ofKey(Subject.keysOf(one.queue()), now));
        quota.wantedAgain(now); // or it might be forgotten before the job has joined
        return gates.computeIfAbsent(key, each -> new HashMap<>()).computeIfAbsent(kind, each -> make.of(quota));
    }

    /** Makes gates. */
    @FunctionalInterface
    interface Gates {
        Gate of(Quota quota);
    }

    @Nullable
    Quota quota(JobKey key) {
        return quotas.get(key);
    }

    long untilAsk(long now) {
        long wait = Long.MAX_VALUE;
        for (Quota quota : quotas.values()) {
            wait = Math.min(wait, quota.untilAskOfKey(now));
        }
        return wait;
    }

    List<Quotas.DueKeys> due(int most, boolean mayRunMore, Duration goodFor, long now) {
        forgetIdle(now);
        Map<String, List<KeyAsk>> byQueue = new HashMap<>();
        List<Quotas.DueKeys> due = new ArrayList<>();
        quotas.forEach((key, quota) -> {
            if (quota.untilAskOfKey(now) <= 0) {
                var ask = quota.ask(1, mayRunMore, now);
                List<KeyAsk> asks = byQueue.computeIfAbsent(key.queue(), queue -> new ArrayList<>());
                asks.add(new KeyAsk(key.key(), ask.starts(), ask.largest(), goodFor));
                if (asks.size() == most) {
                    due.add(new Quotas.DueKeys(key.queue(), asks));
                    byQueue.remove(key.queue());
                }
            }
        });
        byQueue.forEach((queue, asks) -> due.add(new Quotas.DueKeys(queue, asks)));
        return due;
    }

    private void forgetIdle(long now) {
        if (now - sweptNanos < FORGOTTEN_NANOS) {
            return;
        }
        sweptNanos = now;
        quotas.entrySet().removeIf(each -> {
            boolean idle = each.getValue().isUnusedFor(FORGOTTEN_NANOS, now);
            if (idle) {
                gates.remove(each.getKey());
            }
            return idle;
        });
    }
}
