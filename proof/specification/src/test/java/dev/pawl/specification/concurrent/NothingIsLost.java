package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Attribute;
import dev.pawl.specification.concurrent.History.Enqueued;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A job whose enqueue has committed exists exactly once, and ends. A job whose enqueue was rolled back does not exist. */
final class NothingIsLost implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        Map<String, Integer> expected = new HashMap<>();
        history.enqueued.stream()
                .filter(Enqueued::isInserted)
                .forEach(enqueue ->
                        expect(history, enqueue.result().jobId(), enqueue.marker(), enqueue, expected, broken));
        history.flows.stream()
                .flatMap(flow -> flow.nodes().stream())
                .flatMap(node -> node.jobs().entrySet().stream())
                .forEach(job -> expect(history, job.getKey(), job.getValue(), job, expected, broken));
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

    private static void expect(
            History history, long job, int marker, Object written, Map<String, Integer> expected, List<String> broken) {
        Job last = history.last.get(job);
        String payload = last != null && isEdited(history, last) ? last.payload() : Integer.toString(marker);
        expected.merge(payload, 1, Integer::sum);
        if (last == null || !last.payload().equals(payload)) {
            broken.add(written + " was committed, and the job is " + last);
        } else if (!last.state().isFinished()) {
            broken.add("job " + last.id() + " has not ended: " + last);
        }
    }

    /** {@return whether a user has written the job's payload} */
    private static boolean isEdited(History history, Job job) {
        return history.written.stream()
                .anyMatch(each -> each.job() == job.id()
                        && each.attribute() == Attribute.PAYLOAD
                        && each.value().equals(job.payload()));
    }
}
