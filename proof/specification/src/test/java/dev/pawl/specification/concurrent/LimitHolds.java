package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** No more handlers run at once than a limit allows. Handlers that had lost their leases do not count. */
final class LimitHolds implements Promise {
    private final Function<Job, Optional<String>> subject;
    private final int most;

    /** @param subject the queue, kind or concurrency key for which a job counts; empty if the limit does not apply to the job */
    LimitHolds(Function<Job, Optional<String>> subject, int most) {
        this.subject = subject;
        this.most = most;
    }

    @Override
    public List<String> brokenBy(History history) {
        Map<String, TreeMap<Long, Integer>> changes = new HashMap<>();
        for (Run run : history.accepted()) {
            subject.apply(run.job()).ifPresent(name -> {
                TreeMap<Long, Integer> line = changes.computeIfAbsent(name, any -> new TreeMap<>());
                line.merge(run.span().from(), 1, Integer::sum);
                line.merge(run.span().to(), -1, Integer::sum);
            });
        }
        List<String> broken = new ArrayList<>();
        changes.forEach((name, line) -> {
            int running = 0;
            int highest = 0;
            for (int change : line.values()) {
                running += change;
                highest = Math.max(highest, running);
            }
            if (highest > most) {
                broken.add(highest + " handlers of " + name + " ran at once; the limit is " + most);
            }
        });
        return broken;
    }
}
