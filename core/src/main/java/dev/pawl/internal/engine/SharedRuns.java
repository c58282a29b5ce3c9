package dev.pawl.internal.engine;

import dev.pawl.internal.store.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs several jobs in one transaction, as many as begin within a second; the rest goes back to the buffer. Outcomes are
 * passed on when the transaction is over: while it is open, the completer might wait for what it has locked. For one use, by
 * one thread.
 */
final class SharedRuns {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Runner runner;
    private final Transactions transactions;
    private final Buffer buffer;
    private final int handler;
    /** Not begun. */
    private final Deque<HeldJob> waiting = new ArrayDeque<>();
    /** In the open transaction, and complete if that is committed. */
    private final List<HeldJob> completed = new ArrayList<>();
    /** What became of the others. */
    private final Deque<Run> ended = new ArrayDeque<>();

    private @Nullable HeldJob running;

    /**
     * @param runner what to do with each
     * @param transactions to share
     * @param buffer where the jobs came from
     * @param handler number of the thread
     */
    SharedRuns(Runner runner, Transactions transactions, Buffer buffer, int handler) {
        this.runner = runner;
        this.transactions = transactions;
        this.buffer = buffer;
        this.handler = handler;
    }

    /** A run that has ended; without a verdict it goes on elsewhere. */
    private record Run(HeldJob held, @Nullable Verdict verdict) {}

    void run(HeldJob first, List<HeldJob> more) throws InterruptedException {
        waiting.add(first);
        waiting.addAll(more);
        try {
            // Their claim has announced them, as a rule; if not, before a transaction is open: on SQLite nobody else
            // could
            // write then.
            waiting.removeIf(held -> !runner.announce(held) && ended.add(new Run(held, Runner.neverBegun(held))));
            share();
            if (!buffer.putBack(waiting)) {
                giveBackTheRest();
            }
            pass();
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable broken) { // a bug of ours, or the JVM is short of a resource
            letGo(broken);
        }
    }

    private void share() {
        Throwable failure = null;
        try {
            transactions.together(this::fill);
        } catch (Throwable notCommitted) { // handlers' own errors do not come here
            failure = notCommitted;
        }
        for (HeldJob held : completed) {
            if (failure == null) {
                held.commit();
            }
            held.transaction(false);
            ended.add(new Run(held, failure == null ? new Verdict.Completed() : runner.failed(held, failure)));
        }
        completed.clear();
        if (failure != null) {
            if (running != null) {
                ended.add(new Run(running, runner.failed(running, failure)));
            }
            giveBackTheRest();
        }
        running = null;
    }

    private void giveBackTheRest() {
        waiting.forEach(held -> ended.add(new Run(held, Runner.neverBegun(held))));
        waiting.clear();
    }

    private void fill(Together together) {
        long begun = System.nanoTime();
        while (!waiting.isEmpty()
                && together.isSound()
                && !buffer.isClosed() // of a worker that stops, nothing begins any more
                && System.nanoTime() - begun < LONGEST_NANOS) {
            HeldJob held = waiting.remove();
            running = held;
            Verdict verdict = runner.timed(held, handler, together::around);
            if (together.hasCompleted(held)) {
                completed.add(held);
            } else {
                ended.add(new Run(held, verdict));
            }
            running = null;
        }
    }

    /** An interrupt keeps no outcome from being passed on. */
    private void pass() throws InterruptedException {
        InterruptedException interrupt = null;
        while (!ended.isEmpty()) {
            Run run = ended.element();
            try {
                runner.pass(run.held(), run.verdict());
            } catch (InterruptedException e) {
                interrupt = e;
            }
            ended.remove();
        }
        if (interrupt != null) {
            throw interrupt;
        }
    }

    private void letGo(Throwable broken) {
        runner.letGo(running, broken);
        completed.forEach(held -> runner.letGo(held, broken));
        waiting.forEach(held -> runner.letGo(held, broken));
        ended.forEach(run -> runner.letGo(run.held(), broken));
    }
}
