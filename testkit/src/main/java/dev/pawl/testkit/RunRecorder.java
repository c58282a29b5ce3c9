package dev.pawl.testkit;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Records a worker's events, up to a number of runs. Thread-safe. */
final class RunRecorder implements Consumer<WorkerEvent> {
    private final int most;
    private final Runnable onStart;
    private final List<Job> ran = new ArrayList<>();
    private final List<FailedRun> failures = new ArrayList<>();
    private final Map<Long, Job> running = new LinkedHashMap<>();
    private boolean isOver;
    private boolean isClosed;

    /**
     * @param most maximum number of recorded runs
     * @param onStart called by the thread that is about to run a job
     */
    RunRecorder(int most, Runnable onStart) {
        this.most = most;
        this.onStart = onStart;
    }

    @Override
    public void accept(WorkerEvent event) {
        if (note(event) && event instanceof WorkerEvent.Started) {
            onStart.run();
        }
    }

    /** Ignores events after the close, because a builder keeps its listeners and may be started again. */
    private synchronized boolean note(WorkerEvent event) {
        if (isClosed) {
            return false;
        }
        if (event instanceof WorkerEvent.Started started) {
            start(started.job());
        } else if (!(event instanceof WorkerEvent.Stalled)) {
            Job unused = running.remove(event.job().id());
        }
        if (event instanceof WorkerEvent.Failed failed) {
            fail(new FailedRun(failed.job(), failed.error(), false));
        } else if (event instanceof WorkerEvent.Discarded discarded) {
            fail(new FailedRun(discarded.job(), discarded.error(), true));
        }
        return true;
    }

    private void start(Job job) {
        running.put(job.id(), job);
        if (ran.size() == most) {
            isOver = true;
        } else {
            ran.add(job);
        }
    }

    private void fail(FailedRun run) {
        if (failures.size() < most) {
            failures.add(run);
        }
    }

    synchronized boolean isOver() {
        return isOver;
    }

    synchronized List<Job> ran() {
        return List.copyOf(ran);
    }

    synchronized List<FailedRun> failures() {
        return List.copyOf(failures);
    }

    /** {@return jobs whose runs have begun and whose end is not recorded} */
    synchronized List<Job> running() {
        return List.copyOf(running.values());
    }

    synchronized void close() {
        isClosed = true;
    }
}
