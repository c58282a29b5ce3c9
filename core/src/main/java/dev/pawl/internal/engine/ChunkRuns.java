package dev.pawl.internal.engine;

import dev.pawl.api.Chunk;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the jobs of a chunk. Each one's start, events and outcome are handled as if it ran alone. */
final class ChunkRuns {
    private static final Logger LOG = LoggerFactory.getLogger(ChunkRuns.class);

    private final Buffer buffer;
    private final StartLog starts;
    private final HandlerRate handlerRate;
    private final LongRuns longRuns;
    private final Handlers handlers;
    private final JobStore store;
    private final RunEnds ends;
    private final Completer completer;
    private final Transactions transactions;
    private final RunLog log;
    private final Events events;
    private final Counters counters;

    ChunkRuns(Running running) {
        buffer = running.buffer();
        starts = running.starts();
        handlerRate = running.handlerRate();
        longRuns = running.longRuns();
        handlers = running.handlers();
        store = running.store();
        ends = running.ends();
        completer = running.completer();
        transactions = running.transactions();
        log = running.log();
        events = running.events();
        counters = running.counters();
    }

    /**
     * @param first job of the chunk
     * @return whether the jobs were put back into the buffer
     */
    boolean run(HeldJob first, ChunkEntry<?> entry, HandlerOptions options, int handler) throws InterruptedException {
        List<HeldJob> all = new ArrayList<>(first.others().size() + 1);
        all.add(first);
        all.addAll(first.others());
        logStart(all);
        long now = System.nanoTime();
        if (all.stream().anyMatch(HeldJob::mustReacquire)) {
            all.forEach(buffer::leave);
            if (buffer.putBack(all)) {
                return true;
            }
            pass(all, all.stream().map(RunEnds::neverBegun).toList()); // the worker stops
            return false;
        }
        List<Verdict> verdicts = new ArrayList<>(all.size());
        handlerRate.begun(handler, now, first.places());
        try {
            verdicts.addAll(verdicts(all, entry, options, handler));
        } finally {
            if (!first.isReplaced()) {
                handlerRate.ended(handler, System.nanoTime(), all.size());
            }
            all.forEach(buffer::leave);
        }
        pass(all, verdicts);
        return false;
    }

    private void pass(List<HeldJob> all, List<Verdict> verdicts) throws InterruptedException {
        boolean interrupted = false;
        for (int i = 0; i < all.size(); i++) {
            try {
                pass(all.get(i), verdicts.get(i));
            } catch (InterruptedException late) {
                interrupted = true; // the outcome was submitted nevertheless
            }
        }
        if (interrupted) {
            throw new InterruptedException();
        }
    }

    private void pass(HeldJob held, Verdict verdict) throws InterruptedException {
        if (held.isAbandoned()) {
            completer.endedLate(held);
        } else {
            completer.submit(held, verdict);
        }
    }

    private void logStart(List<HeldJob> all) {
        while (true) {
            try {
                starts.ensureAllLogged(all);
                return;
            } catch (InterruptedException late) {
                LOG.debug("an interrupt that was meant for the previous job", late);
            }
        }
    }

    private <T> List<Verdict> verdicts(List<HeldJob> all, ChunkEntry<T> entry, HandlerOptions options, int handler) {
        @Nullable Verdict[] verdicts = new Verdict[all.size()];
        List<ChunkWork.Part<T>> parts = new ArrayList<>(all.size());
        List<Integer> numbers = new ArrayList<>(all.size());
        List<HeldJob> ready = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            HeldJob held = all.get(i);
            if (!held.isStartLogged() || held.mustReacquire()) {
                verdicts[i] = RunEnds.neverBegun(held);
            } else if (held.isExpired()) {
                verdicts[i] = RunEnds.expired(held);
            } else {
                ready.add(held);
                numbers.add(i);
            }
        }
        ChunkCall call = new ChunkCall(all.get(0), ready.size());
        List<Integer> begun = new ArrayList<>(ready.size());
        for (int i = 0; i < ready.size(); i++) {
            HeldJob held = ready.get(i);
            held.shares(call);
            if (held.begin(Thread.currentThread(), handler, options.timeout())) {
                begun.add(numbers.get(i));
                parts.add(new ChunkWork.Part<>(
                        held,
                        new ActiveItem<>(new ActiveRun(
                                held, new OwnTransaction(held, transactions), log, store, null, handlers.results()))));
            } else {
                call.finished();
                verdicts[numbers.get(i)] = RunEnds.neverBegun(held);
            }
        }
        if (!parts.isEmpty()) {
            List<Verdict> ended = handled(parts, entry, options);
            for (int i = 0; i < ended.size(); i++) {
                verdicts[begun.get(i)] = ended.get(i);
            }
        }
        List<Verdict> list = new ArrayList<>(verdicts.length);
        for (int i = 0; i < verdicts.length; i++) {
            Verdict verdict = verdicts[i];
            list.add(verdict == null ? RunEnds.neverBegun(all.get(i)) : verdict);
        }
        return list;
    }

    private <T> List<Verdict> handled(List<ChunkWork.Part<T>> parts, ChunkEntry<T> entry, HandlerOptions options) {
        List<@Nullable JobRunEvent> recorded = new ArrayList<>(parts.size());
        LogNames names = LogNames.of(parts.get(0).held().job().kind());
        counters.running.add(parts.size());
        try {
            for (ChunkWork.Part<T> part : parts) {
                recorded.add(FlightRecord.begin());
                events.publish(
                        new WorkerEvent.Started(part.held().job(), part.held().sinceClaim()));
            }
            if (parts.stream().allMatch(part -> part.held().stopped() == null)) {
                boolean unused = Thread.interrupted(); // a foreign interrupt: a listener may leave one behind
            }
            new ChunkWork<>(entry, parts, this::inTransaction).run();
        } finally {
            counters.running.add(-parts.size());
            parts.forEach(part -> part.held().end());
            boolean unused = Thread.interrupted(); // must not reach the next job
            names.close();
        }
        List<Verdict> verdicts = new ArrayList<>(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            ChunkWork.Part<T> part = parts.get(i);
            try {
                verdicts.add(verdict(part, options, recorded.get(i)));
            } catch (Throwable broken) { // not from a handler: a bug in the engine, or the JVM is short of a resource
                verdicts.add(brokenOff(part.held(), broken));
            }
        }
        return verdicts;
    }

    private <T> Verdict verdict(ChunkWork.Part<T> part, HandlerOptions options, @Nullable JobRunEvent recorded) {
        HeldJob held = part.held();
        Verdict verdict = ends.of(held, part.item().outcome(), part.item().error(), options);
        if (verdict == null) {
            throw new IllegalStateException("job " + held.job().id() + " of a chunk has neither an outcome nor an error");
        }
        if (verdict instanceof Verdict.Completed) {
            verdict = new Verdict.Completed(held.result());
            longRuns.completed(held.job().kind(), held.ranNanos());
        }
        FlightRecord.end(recorded, held, verdict);
        return verdict;
    }

    /** The other jobs of the chunk go on. Unless this one is completed, its lease is no longer renewed, so it will be rescued. */
    private Verdict brokenOff(HeldJob held, Throwable broken) {
        if (held.isCommitted()) {
            return new Verdict.Completed(held.result());
        }
        completer.forget(held);
        LOG.error(
                "the outcome of job {} of a chunk is unknown; it will be rescued after its lease: {}",
                held.job().id(),
                ErrorText.of(broken));
        return new Verdict.GiveBack(); // not recorded, because this worker no longer holds the job
    }

    private <T> void inTransaction(List<ChunkWork.Part<T>> parts, Chunk.TransactionWork<T> work) throws Exception {
        List<HeldJob> left = parts.stream()
                .map(ChunkWork.Part::held)
                .filter(held -> held.stopped() != HeldJob.Stop.LEASE_LOST)
                .toList();
        if (parts.isEmpty()) {
            throw ChunkWork.nothingLeft();
        } else if (left.isEmpty()) {
            Lease lost = parts.get(0).held().lease();
            throw new LeaseLostException(lost.jobId(), lost.token());
        }
        try {
            transactions.runAll(left, (connection, ours) -> {
                List<ActiveItem<T>> items = ChunkWork.items(parts, ours);
                work.run(connection, List.copyOf(items));
                items.forEach(ActiveItem::requireNoOutcome);
            });
        } catch (Throwable rolledBack) {
            parts.forEach(part -> part.item().rolledBack(rolledBack));
            throw rolledBack;
        }
        for (ChunkWork.Part<T> part : parts) {
            if (!part.held().isCommitted()) { // nothing was written for it, so it must not be completed
                Lease lost = part.held().lease();
                part.item().fails(new LeaseLostException(lost.jobId(), lost.token()));
            }
        }
    }
}
