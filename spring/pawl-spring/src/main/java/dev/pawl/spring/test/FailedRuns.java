package dev.pawl.spring.test;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Records failed runs, the first ones with their stack traces. Thread-safe. */
final class FailedRuns implements Consumer<WorkerEvent> {
    private static final int TOLD = 10;
    private final List<String> told = new ArrayList<>();
    private int count;

    @Override
    public void accept(WorkerEvent event) {
        if (event instanceof WorkerEvent.Failed failed) {
            note("Will be tried again: ", failed.job(), failed.error());
        } else if (event instanceof WorkerEvent.Discarded discarded) {
            note("Discarded: ", discarded.job(), discarded.error());
        }
    }

    private synchronized void note(String end, Job job, String error) {
        count++;
        if (count <= TOLD) {
            told.add(end + "job " + job.id() + " (" + job.kind() + "), attempt " + job.attempt() + "\n" + error);
        }
    }

    /** {@return the failures so far; empty if there are none} */
    synchronized String describe() {
        return count == 0
                ? ""
                : "\n" + count + " run(s) failed\n" + String.join("\n", told)
                        + (count > TOLD ? "\nand " + (count - TOLD) + " more" : "");
    }

    void requireNone() {
        String what = describe();
        if (!what.isEmpty()) {
            throw new AssertionError("if that is meant, use drainWithFailures." + what);
        }
    }
}
