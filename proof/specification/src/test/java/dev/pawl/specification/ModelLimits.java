package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The guarantees of limits of queues and kinds: concurrency, starts in any interval, and holds. */
final class ModelLimits {
    /** How long a worker keeps allocated permits if it does not request again. */
    private static final Duration SHARE = Duration.ofSeconds(10);

    /** How long starts are reserved for a job that costs several. */
    private static final Duration RESERVED = Duration.ofSeconds(3);

    /** A start of a job with this cost. */
    private record Start(Instant at, int cost) {}

    /** A limit or a hold. */
    private static final class State {
        @Nullable
        Integer atOnce;

        @Nullable
        Rate rate;
        /** The end of the hold. After this time, one job at a time may start as a probe, until one has ended. */
        @Nullable
        Instant held;

        boolean mayOpen;
        /** Claims that passed this limit. */
        Set<Long> inside = new HashSet<>();
        /** The claims of jobs that ran when the limit was set. */
        Set<Long> before = new HashSet<>();

        List<Start> starts = new ArrayList<>();
        Instant refused = Instant.MIN;
        Map<Object, Instant> requested = new HashMap<>();

        State copy() {
            State copy = new State();
            copy.atOnce = atOnce;
            copy.rate = rate;
            copy.held = held;
            copy.mayOpen = mayOpen;
            copy.inside = new HashSet<>(inside);
            copy.before = new HashSet<>(before);
            copy.starts = new ArrayList<>(starts);
            copy.refused = refused;
            copy.requested = new HashMap<>(requested);
            return copy;
        }

        boolean says() {
            return atOnce != null || rate != null;
        }

        /** {@return how many jobs may run now} */
        int permits(Instant now) {
            if (held != null) {
                return now.isBefore(held) ? 0 : 1;
            }
            return atOnce == null ? Integer.MAX_VALUE : atOnce;
        }
    }

    private Map<Subject, State> states = new LinkedHashMap<>();
    private boolean uncertain;
    /** Claims whose handlers are running, with or without a lease. */
    private Set<Long> handled = new HashSet<>();

    ModelLimits copy() {
        ModelLimits copy = new ModelLimits();
        states.forEach((subject, state) -> copy.states.put(subject, state.copy()));
        copy.uncertain = uncertain;
        copy.handled = new HashSet<>(handled);
        return copy;
    }

    /**
     * Allocated permits may have been lost with a commit or with a reply, so from now on the model does not check how many jobs run or
     * start.
     */
    void becomesUncertain() {
        uncertain |= !states.isEmpty();
    }

    private State of(Subject subject) {
        return states.computeIfAbsent(subject, any -> new State());
    }

    // ------------------------------------------------------------------------------------------------ user commands

    /** @param running the running jobs; a limit that is set now does not count them, but a worker may count its own running jobs */
    void set(Limit limit, List<Spec> running) {
        State state = of(limit.subject());
        if (limit.rate() == null || !limit.rate().equals(state.rate)) {
            state.starts.clear();
        }
        if (state.atOnce == null) {
            state.before.addAll(state.inside);
            for (Spec job : running) {
                if (about(job.queue, job.kind).contains(state)) {
                    state.before.add(job.claim);
                    handled.add(job.claim);
                }
            }
        }
        state.atOnce = limit.atOnce();
        state.rate = limit.rate();
    }

    void remove(Subject subject, boolean removed) {
        State state = states.get(subject);
        same("limit of " + subject + " removed", state != null && state.says(), removed);
        if (state != null && state.held != null) {
            state.atOnce = null;
            state.rate = null;
            state.starts.clear();
        } else {
            states.remove(subject);
        }
    }

    void pause(Subject subject, Instant until) {
        State state = of(subject);
        state.held = until;
        state.mayOpen = false;
    }

    void resume(Subject subject, boolean opened) {
        State state = states.get(subject);
        same(subject + " opened", state != null && state.held != null, opened);
        if (state != null && opened) {
            noHold(subject, state);
        }
    }

    private void noHold(Subject subject, State state) {
        state.held = null;
        state.mayOpen = false;
        if (!state.says()) {
            states.remove(subject);
        }
    }

    // ------------------------------------------------------------------------------------------------ runs

    private List<State> about(String queue, String kind) {
        List<State> about = new ArrayList<>();
        for (Subject subject : List.of(Subject.queue(queue), Subject.kind(kind))) {
            State state = states.get(subject);
            if (state != null) {
                about.add(state);
            }
        }
        return about;
    }

    /** {@return whether a limit applies to jobs of a queue and of one of these kinds} */
    boolean concern(String queue, List<String> kinds) {
        return uncertain || kinds.stream().anyMatch(kind -> !about(queue, kind).isEmpty());
    }

    /** {@return when the hold of the job's queue or kind ends; long ago if there is none} */
    Instant pausedUntil(Spec job) {
        return about(job.queue, job.kind).stream()
                .map(state -> Objects.requireNonNullElse(state.held, Instant.MIN))
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /** A job was not allowed to start. */
    void refused(Spec job, Instant now) {
        about(job.queue, job.kind).forEach(state -> state.refused = now);
    }

    /**
     * A worker has requested permits, and has started some jobs.
     *
     * @param began the started jobs
     * @param couldBegin other jobs that could have started if there were no limits
     * @param runs whether the job of a claim is running under a lease
     * @param full whether the worker has as many jobs as it wanted, or must not take jobs that may still belong to other workers
     * @param ofWorkers the time by the workers' clocks
     */
    void claimed(
            Object worker,
            String queue,
            List<String> kinds,
            List<Spec> began,
            List<Spec> couldBegin,
            LongPredicate runs,
            boolean full,
            Instant now,
            Instant ofWorkers) {
        for (Spec job : began) {
            for (State state : about(queue, job.kind)) {
                state.inside.add(job.claim);
                handled.add(job.claim);
                state.starts.add(new Start(now, job.cost));
            }
        }
        if (uncertain) {
            return;
        }
        for (Spec job : began) {
            for (State state : about(queue, job.kind)) {
                long running = state.inside.stream()
                        .filter(claim -> !state.before.contains(claim) && runs.test(claim))
                        .count();
                require(
                        running <= state.permits(now),
                        "%s jobs run, %s may: %s",
                        running,
                        state.permits(now),
                        job.kind);
                requireRate(state, now);
            }
        }
        if (!full) {
            for (Spec job : couldBegin) {
                boolean free = about(queue, job.kind).stream().allMatch(state -> isFree(state, worker, now, ofWorkers));
                boolean costs = about(queue, job.kind).stream()
                                .filter(state -> state.rate != null)
                                .count()
                        > 1;
                require(!free || costs, "job %s was not claimed, although its limits allow it", job.id);
            }
        }
        for (String kind : kinds) {
            about(queue, kind).forEach(state -> state.requested.put(worker, ofWorkers));
        }
    }

    private static void requireRate(State state, Instant now) {
        Rate rate = state.rate;
        if (rate != null) {
            int started = state.starts.stream()
                    .filter(start -> start.at().isAfter(now.minus(rate.per())))
                    .mapToInt(start -> Math.min(start.cost(), rate.starts()))
                    .sum();
            require(started <= rate.starts(), "%s starts within %s, allowed are %s", started, rate.per(), rate);
        }
    }

    /**
     * {@return whether the limit certainly lets a job start} If other workers share the limit, this is false, because the size of each
     * share is left open.
     */
    private boolean isFree(State state, Object worker, Instant now, Instant ofWorkers) {
        boolean others = state.requested.entrySet().stream()
                .anyMatch(each -> !each.getKey().equals(worker)
                        && ofWorkers.isBefore(each.getValue().plus(SHARE)));
        long running = Stream.concat(state.inside.stream(), state.before.stream())
                .distinct()
                .filter(handled::contains)
                .count();
        Rate rate = state.rate;
        boolean used = rate != null
                && state.starts.stream()
                        .anyMatch(start ->
                                start.at().isAfter(now.minus(rate.per()).minusSeconds(2)));
        return !others
                && running < state.permits(now)
                && !used
                && (rate == null || now.isAfter(state.refused.plus(rate.per()).plus(RESERVED)));
    }

    /** A handler has ended. */
    void left(long claim) {
        handled.remove(claim);
    }

    /** All workers have died. */
    void crashed() {
        handled.clear();
    }

    /** A run has ended without finding a dependency unavailable. */
    void available(Spec job, Instant now) {
        for (Subject subject : List.of(Subject.queue(job.queue), Subject.kind(job.kind))) {
            State state = states.get(subject);
            if (state != null && state.held != null && !now.isBefore(state.held)) {
                if (!uncertain && state.inside.contains(job.claim)) {
                    noHold(subject, state);
                } else {
                    state.mayOpen = true; // its worker may not know of the hold
                }
            }
        }
    }

    /** A run has reported that a dependency of its kind is not available. */
    void unavailable(String kind, Instant until, Instant now) {
        State state = of(Subject.kind(kind));
        if (state.held == null || !now.isBefore(state.held)) {
            state.held = until;
        }
        state.mayOpen = false;
    }

    // ------------------------------------------------------------------------------------------------ queries

    boolean any() {
        return !states.isEmpty();
    }

    void compare(List<LimitInfo> seen) {
        Map<Subject, LimitInfo> bySubject = new HashMap<>();
        seen.stream()
                .filter(info -> info.limit().subject().of() != Subject.Of.KEYS)
                .forEach(info -> bySubject.put(info.limit().subject(), info));
        for (Map.Entry<Subject, State> each : List.copyOf(states.entrySet())) {
            LimitInfo info = bySubject.get(each.getKey());
            if (each.getValue().mayOpen && (info == null || info.pause() == null)) {
                noHold(each.getKey(), each.getValue());
            }
        }
        same("what is limited", states.keySet(), bySubject.keySet());
        states.forEach((subject, state) -> {
            LimitInfo info = Objects.requireNonNull(bySubject.get(subject));
            same("at once of " + subject, state.atOnce, info.limit().atOnce());
            same("rate of " + subject, state.rate, info.limit().rate());
            same(
                    "hold of " + subject,
                    state.held,
                    info.pause() == null ? null : info.pause().until());
        });
    }
}
