package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.api.Tick;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Each tick of a schedule has one job, and none is skipped. */
final class TicksOnce implements Promise {
    private final Duration distance;

    /** @param distance between two ticks */
    TicksOnce(Duration distance) {
        this.distance = distance;
    }

    @Override
    public List<String> brokenBy(History history) {
        Map<Instant, Long> ticks = new TreeMap<>();
        List<String> broken = new ArrayList<>();
        for (Job job : history.last.values()) {
            String header = job.headers().get(Tick.HEADER);
            if (header != null) {
                Long other = ticks.put(Instant.parse(header), job.id());
                if (other != null) {
                    broken.add("the tick of " + header + " has two jobs, " + other + " and " + job.id());
                }
            }
        }
        Instant before = null;
        for (Instant tick : ticks.keySet()) {
            if (before != null && !before.plus(distance).equals(tick)) {
                broken.add("after the tick of " + before + " came that of " + tick);
            }
            before = tick;
        }
        return broken;
    }
}
