package dev.pawl.conformance.chaos;

import dev.pawl.admin.BatchInfo;
import dev.pawl.api.JobState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Checks the invariants of a batch after all work has ended, and reports the violated ones. */
final class BatchCheck {
    private BatchCheck() {}

    /**
     * An enqueued callback.
     *
     * @param what done, failed or success
     * @param open how many jobs and inner batches had not ended when the callback ran
     */
    record Called(String what, long open) {}

    /**
     * All facts about a batch.
     *
     * @param info as the API reports it
     * @param jobs the states of its jobs
     * @param inner the batches that are part of it
     * @param callbacks its callbacks
     * @param wanted the callbacks that it may have: done, failed, success
     * @param retried whether a user has retried some of its jobs, or of its inner batches, which may be open again when a callback runs
     */
    record Fact(
            BatchInfo info,
            List<JobState> jobs,
            List<BatchInfo> inner,
            List<Called> callbacks,
            List<String> wanted,
            boolean retried) {}

    static List<String> violations(Fact fact) {
        List<String> found = new ArrayList<>();
        BatchInfo info = fact.info;
        expect(found, info.isDone(), "is not done: stuck");
        expect(found, info.sealedAt() != null, "was never sealed");
        expect(found, info.jobs() == fact.jobs.size() + fact.inner.size(), "has lost count of its jobs");
        expect(found, info.completed() == completed(fact), "counts completed ones wrongly");
        expect(found, info.failed() == failed(fact), "counts failed ones wrongly");
        expect(found, info.ended() == info.jobs(), "has not ended");
        for (String what : fact.wanted) {
            int times = Collections.frequency(
                    fact.callbacks.stream().map(Called::what).toList(), what);
            expect(found, times <= 1, "has called back '" + what + "' " + times + " times");
            boolean due = what.equals("done")
                    || (what.equals("failed") && info.failed() > 0)
                    || (what.equals("success") && info.isSuccess());
            expect(found, !due || times > 0, "has not called back '" + what + "'");
            boolean never = (what.equals("success") && !info.isSuccess() && !fact.retried)
                    || (what.equals("failed") && info.failed() == 0 && !fact.retried);
            expect(found, !never || times == 0, "has called back '" + what + "' without a reason");
        }
        for (Called callback : fact.callbacks) {
            expect(
                    found,
                    callback.what.equals("failed") || fact.retried || callback.open == 0,
                    "has called back '" + callback.what + "' too early");
        }
        return found.stream()
                .map(what -> "batch " + info.id() + " " + what + ": " + fact)
                .toList();
    }

    private static long completed(Fact fact) {
        return Collections.frequency(fact.jobs, JobState.COMPLETED)
                + fact.inner.stream().filter(BatchInfo::isSuccess).count();
    }

    private static long failed(Fact fact) {
        return Collections.frequency(fact.jobs, JobState.DISCARDED)
                + fact.inner.stream()
                        .filter(inner -> inner.isDone() && inner.failed() > 0)
                        .count();
    }

    private static void expect(List<String> found, boolean holds, String violation) {
        if (!holds) {
            found.add(violation);
        }
    }
}
