package dev.pawl.shard;

import dev.pawl.admin.QueueStats;
import dev.pawl.admin.QueueStats.Count;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the numbers of queues over shards. */
final class QueueTotals {
    private final SortedMap<String, QueueStats> byName = new TreeMap<>();

    void add(List<QueueStats> ofShard) {
        ofShard.forEach(one -> byName.merge(one.name(), one, QueueTotals::sum));
    }

    /** {@return the queues by name} */
    List<QueueStats> list() {
        return List.copyOf(byName.values());
    }

    private static QueueStats sum(QueueStats a, QueueStats b) {
        Set<Count> bounds = EnumSet.noneOf(Count.class);
        bounds.addAll(a.lowerBounds());
        bounds.addAll(b.lowerBounds());
        return new QueueStats(
                a.name(),
                a.paused() || b.paused(),
                Objects.equals(a.strategy(), b.strategy()) ? a.strategy() : null,
                a.available() + b.available(),
                a.delayed() + b.delayed(),
                a.retrying() + b.retrying(),
                a.running() + b.running(),
                longer(a.oldestAge(), b.oldestAge()),
                a.blocked() + b.blocked(),
                a.pending() + b.pending(),
                a.pausedJobs() + b.pausedJobs(),
                bounds);
    }

    private static @Nullable Duration longer(@Nullable Duration a, @Nullable Duration b) {
        return a == null ? b : b == null || a.compareTo(b) >= 0 ? a : b;
    }
}
