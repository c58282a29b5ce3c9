package dev.pawl.specification.concurrent;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobState;
import dev.pawl.api.UniqueWhile;
import dev.pawl.specification.concurrent.History.Ended;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Run;
import dev.pawl.specification.concurrent.History.Seen;
import dev.pawl.specification.concurrent.History.Verb;
import dev.pawl.specification.concurrent.SomeOrder.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * For each unique key, the enqueues and the ends of their jobs can be ordered so that an enqueue is a duplicate exactly if a job has the
 * key at that point. With {@code WAITING} a job may be claimed at any moment, and lose the key. So only duplicates are checked: the job
 * that has the key must not have started.
 */
final class UniqueKeysHold implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        Map<String, List<Enqueued>> byKey = new HashMap<>();
        for (Enqueued enqueue : history.enqueued) {
            String key = enqueue.options().uniqueKey();
            if (key != null) {
                byKey.computeIfAbsent(enqueue.kind() + " " + key, any -> new ArrayList<>())
                        .add(enqueue);
            }
        }
        Map<Long, List<Run>> runs = history.runsByJob();
        List<String> broken = new ArrayList<>();
        byKey.forEach((key, enqueues) -> {
            List<Step<Set<Long>>> steps = new ArrayList<>();
            Map<Long, Span> ends = new HashMap<>();
            for (Enqueued enqueue : enqueues) {
                UniqueWhile scope = enqueue.options().uniqueWhile();
                steps.add(step(enqueue, scope));
                History.inserted(enqueue)
                        .ifPresent(job -> end(history, job, enqueue, scope, runs.get(job))
                                .ifPresent(span -> ends.put(job, span)));
            }
            ends.forEach((job, span) -> steps.add(new Step<>(span, holders -> without(holders, job))));
            if (!SomeOrder.explains(steps, Set.of())) {
                broken.add("no order explains the enqueues of the unique key " + key + ": " + enqueues
                        + ", which the jobs " + ends + " released");
            }
        });
        return broken;
    }

    private static Step<Set<Long>> step(Enqueued enqueue, UniqueWhile scope) {
        long job = enqueue.result().jobId();
        if (enqueue.result() instanceof EnqueueResult.Inserted) {
            return new Step<>(
                    enqueue.span(),
                    holders -> holders.isEmpty() || scope == UniqueWhile.WAITING
                            ? Optional.of(with(holders, job))
                            : Optional.empty());
        }
        return new Step<>(enqueue.span(), holders -> holders.contains(job) ? Optional.of(holders) : Optional.empty());
    }

    private static Set<Long> with(Set<Long> holders, long job) {
        Set<Long> more = new HashSet<>(holders);
        more.add(job);
        return more;
    }

    private static Optional<Set<Long>> without(Set<Long> holders, long job) {
        Set<Long> fewer = new HashSet<>(holders);
        return fewer.remove(job) ? Optional.of(fewer) : Optional.empty();
    }

    /** {@return when a job released its key; empty if it never did} */
    private static Optional<Span> end(
            History history, long job, Enqueued enqueue, UniqueWhile scope, @Nullable List<Run> runs) {
        if (scope == UniqueWhile.KEPT
                || !history.last.containsKey(job)
                || (scope == UniqueWhile.LIVE_OR_DISCARDED
                        && history.last.get(job).state() == JobState.DISCARDED)) {
            return Optional.empty();
        }
        Run last = runs == null ? null : runs.get(runs.size() - 1);
        boolean waitsAgain = last != null
                && !history.endOf(last).map(end -> end.state().isFinished()).orElse(false);
        if (scope == UniqueWhile.WAITING && last != null && !waitsAgain) {
            return Optional.of(new Span(enqueue.span().from(), last.span().from()));
        }
        long to = Long.MAX_VALUE - 1;
        for (Seen seen : history.seen) {
            if (seen.job().id() == job && seen.job().state().isFinished()) {
                to = Math.min(to, seen.span().to());
            }
        }
        for (Ended end : history.ended) {
            if (end.lease().job() == job && end.state().isFinished()) {
                to = Math.min(to, end.at());
            }
        }
        for (History.Changed change : history.changed) {
            if (change.job() == job && change.verb() == Verb.CANCEL && change.isDone()) {
                to = Math.min(to, change.span().to());
            }
        }
        long from = last != null && history.endOf(last).isPresent()
                ? last.span().from()
                : enqueue.span().from();
        return Optional.of(new Span(from, to));
    }
}
