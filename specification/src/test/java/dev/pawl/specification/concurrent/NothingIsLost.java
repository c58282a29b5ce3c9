package dev.pawl.specification.concurrent;

import dev.pawl.Job;
import dev.pawl.specification.concurrent.History.Enqueued;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A job whose enqueue has committed is there, once, until it has ended; one whose enqueue was rolled back is not. */
final class NothingIsLost implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        Map<String, Integer> expected = new HashMap<>();
        for (Enqueued enqueue : history.enqueued) {
            if (enqueue.isInserted()) {
                expected.merge(Integer.toString(enqueue.marker()), 1, Integer::sum);
                Job last = history.last.get(enqueue.result().jobId());
                if (last == null || !last.payload().equals(Integer.toString(enqueue.marker()))) {
                    broken.add(enqueue + " was committed, and the job is " + last);
                } else if (!last.state().isFinished()) {
                    broken.add("job " + last.id() + " has not ended: " + last);
                }
            }
        }
        Map<String, Integer> found = new HashMap<>();
        for (Job job : history.last.values()) {
            if (!job.payload().startsWith("\"")) {
                found.merge(job.payload(), 1, Integer::sum);
            }
        }
        found.forEach((marker, times) -> {
            if (!times.equals(expected.get(marker))) {
                broken.add(times + " jobs have the payload " + marker + ", of " + expected.getOrDefault(marker, 0));
            }
        });
        return broken;
    }
}
