package dev.pawl.specification.concurrent;

import dev.pawl.admin.BatchInfo;
import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.BatchEnd;
import dev.pawl.specification.concurrent.History.Run;
import dev.pawl.specification.concurrent.History.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Each wanted callback of a batch is enqueued once, and starts when all jobs that it waits for have ended. */
final class CallbacksOnce implements Promise {
    static final String OF = "pawl-callback-of";

    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        for (BatchEnd batch : history.batches) {
            BatchInfo last = batch.last();
            if (!last.isDone()) {
                broken.add("all jobs have ended, and the batch is not done: " + last);
            }
            require(last.failed() > 0 ? 1 : 0, "failed", history, last, broken);
            if (!batch.isWorkflow()) {
                require(1, "done", history, last, broken);
                require(last.isSuccess() ? 1 : 0, "success", history, last, broken);
                early(history, batch, broken);
            }
        }
        return broken;
    }

    private static void require(int times, String payload, History history, BatchInfo batch, List<String> broken) {
        long found = history.last.values().stream()
                .filter(job -> isCallback(job, batch, payload))
                .count();
        boolean mayBeMore = !payload.equals("done")
                && history.changed.stream()
                        .filter(change -> change.verb() == Verb.RETRY)
                        .anyMatch(change -> isOf(history, change.job(), batch));
        if (found != times && !(mayBeMore && found <= 1)) {
            broken.add("the callback '" + payload + "' was enqueued " + found + " times of " + times + " by " + batch);
        }
    }

    /**
     * {@return whether the job is in the batch} If the job was retried, an earlier end may have caused a callback that its last end does
     * not cause.
     */
    private static boolean isOf(History history, long job, BatchInfo batch) {
        Job last = history.last.get(job);
        return last != null && last.batch().orElse(0) == batch.id();
    }

    private static boolean isCallback(Job job, BatchInfo batch, String payload) {
        return Long.toString(batch.id()).equals(job.headers().get(OF))
                && job.payload().equals("\"" + payload + "\"");
    }

    /**
     * Finds callbacks that ran too early. Retried jobs do not count, because a retry reopens a finished batch, whose callback may already
     * run.
     */
    private static void early(History history, BatchEnd batch, List<String> broken) {
        Set<Long> touched = new HashSet<>();
        history.changed.stream()
                .filter(change -> change.verb() == Verb.RETRY)
                .forEach(change -> touched.add(change.job()));
        long first = history.runs.stream()
                .filter(run -> isCallback(run.job(), batch.last(), "done"))
                .mapToLong(run -> run.span().from())
                .min()
                .orElse(Long.MAX_VALUE);
        if (first < batch.sealing().from()) {
            broken.add("the callback 'done' ran before its batch was sealed: " + batch);
        }
        for (Run run : history.accepted()) {
            boolean isMember = run.job().batch().orElse(0) == batch.last().id();
            if (isMember && !touched.contains(run.job().id()) && run.span().to() > first) {
                broken.add("the callback 'done' ran before " + run.lease() + " had ended, of " + batch);
            }
        }
    }
}
