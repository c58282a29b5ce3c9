package dev.pawl.internal.engine;

import dev.pawl.internal.store.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs from the buffer and has their handlers called, one call after the other. A call is for one job, or for a chunk. A worker has
 * one runner thread per unit of concurrency.
 */
final class Runner implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

    private final Buffer buffer;
    private final StartLog starts;
    private final HandlerRate handlerRate;
    private final Handlers handlers;
    private final HandlerCalls calls;
    private final Completer completer;

    Runner(
            Buffer buffer,
            StartLog starts,
            HandlerRate handlerRate,
            Handlers handlers,
            HandlerCalls calls,
            Completer completer) {
        this.buffer = buffer;
        this.starts = starts;
        this.handlerRate = handlerRate;
        this.handlers = handlers;
        this.calls = calls;
        this.completer = completer;
    }

    @Override
    public void run() {
        run(handlerRate.enlist(), null);
    }

    /**
     * @param handler number of the thread
     * @param before the stuck job whose thread this one replaces; null for none
     */
    void run(int handler, @Nullable HeldJob before) {
        if (before != null) {
            buffer.releaseCapacity(before);
        }
        List<HeldJob> ended = List.of();
        while (true) {
            List<HeldJob> jobs = List.of();
            try {
                jobs = buffer.take(ended);
                ended = jobs;
                if (jobs.isEmpty()) {
                    handlerRate.retire(handler);
                    return;
                }
                if (!run(jobs, handler)) {
                    ended = List.of();
                }
            } catch (InterruptedException e) {
                // An interrupt for the previous job; this thread ends only when the buffer is closed.
                LOG.debug("interrupted between two jobs", e);
            } catch (Throwable broken) { // not from a handler: a bug in the engine, or the JVM is short of a resource
                for (HeldJob held : jobs) {
                    drop(held, broken);
                }
            }
            if (!jobs.isEmpty() && jobs.get(0).isReplaced()) {
                jobs.forEach(buffer::leave);
                return; // another thread has replaced this one
            }
        }
    }

    /** Drops the job: its lease is no longer renewed, so it will be rescued; this thread goes on. */
    private void drop(HeldJob held, Throwable broken) {
        held.end();
        completer.forget(held);
        try {
            LOG.error(
                    "job {} could not be run, or its outcome could not be passed on; it will be rescued after its lease: {}",
                    held.job().id(),
                    ErrorText.of(broken));
        } catch (Throwable unspeakable) {
            return; // even a failing log must not end the thread
        }
    }

    /** {@return false if the jobs were put back into the buffer} */
    private boolean run(List<HeldJob> jobs, int handler) throws InterruptedException {
        HeldJob first = jobs.get(0);
        Handlers.Entry entry = handlers.of(first.job().kind());
        if (entry == null) {
            throw new IllegalStateException("claimed kind '" + first.job().kind() + "' has no handler here");
        }
        if (!areStartsLogged(jobs)) {
            buffer.handlerEnded(jobs);
            jobs.forEach(held -> submit(held, RunEnds.neverBegun(held)));
        } else if (buffer.hasCapacity(jobs) && !HeldJobs.any(jobs, HeldJob::mustReacquire)) {
            call(jobs, entry, handler);
        } else {
            jobs.forEach(buffer::leave);
            if (buffer.putBack(jobs)) {
                return false;
            }
            jobs.forEach(held -> submit(held, RunEnds.neverBegun(held))); // the worker stops
        }
        return true;
    }

    /** {@return whether some of the jobs may start} */
    private boolean areStartsLogged(List<HeldJob> jobs) {
        while (true) {
            try {
                return starts.ensureLogged(jobs);
            } catch (InterruptedException late) {
                LOG.debug("an interrupt that was meant for the previous job", late);
            }
        }
    }

    private void call(List<HeldJob> jobs, Handlers.Entry entry, int handler) {
        HeldJob first = jobs.get(0);
        List<? extends CalledJob<?>> called;
        handlerRate.begun(handler, System.nanoTime(), first.usedCapacity());
        try {
            called = calls.call(jobs, entry, handler);
        } finally {
            if (!first.isReplaced()) {
                handlerRate.ended(handler, System.nanoTime(), jobs.size());
            }
            if (jobs.size() > 1) {
                jobs.forEach(buffer::leave); // wakes a waiting thread for each limiter that is released
            }
            buffer.handlerEnded(jobs);
        }
        for (CalledJob<?> job : called) {
            Throwable broken = job.broken;
            if (broken == null) {
                broken = submitted(job.held, job.verdict);
            }
            if (broken != null) {
                drop(job.held, broken);
            }
        }
    }

    /** {@return why the verdict could not be submitted; null if it was} The caller then goes on with the other verdicts of a chunk. */
    private @Nullable Throwable submitted(HeldJob held, @Nullable Verdict verdict) {
        try {
            submit(held, verdict);
            return null;
        } catch (Throwable broken) { // a bug in the engine, or the JVM is short of a resource
            return broken;
        }
    }

    /**
     * @param verdict null for a run that was handed off
     */
    private void submit(HeldJob held, @Nullable Verdict verdict) {
        try {
            if (held.isAbandoned()) {
                completer.endedLate(held);
            } else if (verdict == null) {
                completer.leave(held);
            } else {
                completer.submit(held, verdict);
            }
        } catch (InterruptedException late) { // the outcome was submitted nevertheless
            LOG.debug("an interrupt that was meant for the previous job", late);
        }
    }
}
