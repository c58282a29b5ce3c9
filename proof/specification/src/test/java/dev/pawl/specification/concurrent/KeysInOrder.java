package dev.pawl.specification.concurrent;

import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs of a key start in the order in which they were enqueued, each after the previous one has ended for good. */
final class KeysInOrder implements Promise {
    private final String queue;

    /** @param queue where jobs of a key run one after the other */
    KeysInOrder(String queue) {
        this.queue = queue;
    }

    @Override
    public List<String> brokenBy(History history) {
        Map<String, List<Enqueued>> lines = new HashMap<>();
        for (Enqueued enqueue : history.enqueued) {
            String key = enqueue.options().key();
            if (key != null
                    && enqueue.isInserted()
                    && enqueue.options().queue().equals(queue)
                    && enqueue.options().delay().equals(Duration.ZERO)
                    && enqueue.options().priority() == 0
                    && !history.isTouched(enqueue.result().jobId())) {
                lines.computeIfAbsent(key, any -> new ArrayList<>()).add(enqueue);
            }
        }
        Map<Long, List<Run>> runs = new HashMap<>();
        history.accepted()
                .forEach(run -> runs.computeIfAbsent(run.job().id(), any -> new ArrayList<>())
                        .add(run));
        List<String> broken = new ArrayList<>();
        for (List<Enqueued> line : lines.values()) {
            for (Enqueued one : line) {
                for (Enqueued other : line) {
                    if (one.span().isBefore(other.span())) {
                        check(one, other, runs, broken);
                    }
                }
            }
        }
        return broken;
    }

    private static void check(Enqueued one, Enqueued other, Map<Long, List<Run>> runs, List<String> broken) {
        long lastOfOne = runs.getOrDefault(one.result().jobId(), List.of()).stream()
                .mapToLong(run -> run.span().to())
                .max()
                .orElse(Long.MIN_VALUE);
        long firstOfOther = runs.getOrDefault(other.result().jobId(), List.of()).stream()
                .mapToLong(run -> run.span().from())
                .min()
                .orElse(Long.MAX_VALUE);
        if (firstOfOther < lastOfOne) {
            broken.add("job " + other.result().jobId() + " ran before job "
                    + one.result().jobId()
                    + ", which was enqueued before it, had ended; both have the key "
                    + one.options().key());
        }
    }
}
