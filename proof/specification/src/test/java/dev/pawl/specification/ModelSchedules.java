package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.Tick;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Recurring jobs: when they are due, which missed ticks are made up for, and what happens to a tick while the previous job is live. */
final class ModelSchedules {
    /** A tick that is processed later than this counts as missed. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private static final class State {
        final Schedule<?> schedule;
        final String payload;
        Recurrence recurrence;

        @Nullable
        Instant next;
        /** When a worker looks at the schedule next, for its next tick or to check whether the last job has ended; null if it need not. */
        @Nullable
        Instant nextCheck;

        boolean waiting;
        boolean paused;

        @Nullable
        Instant lastTick;

        @Nullable
        Long lastJob;

        State(Schedule<?> schedule, String payload) {
            this.schedule = schedule;
            this.payload = payload;
            this.recurrence = schedule.recurrence();
        }

        State copy() {
            State copy = new State(schedule, payload);
            copy.recurrence = recurrence;
            copy.next = next;
            copy.nextCheck = nextCheck;
            copy.waiting = waiting;
            copy.paused = paused;
            copy.lastTick = lastTick;
            copy.lastJob = lastJob;
            return copy;
        }
    }

    private Map<String, State> states = new HashMap<>();

    ModelSchedules copy() {
        ModelSchedules copy = new ModelSchedules();
        states.forEach((name, state) -> copy.states.put(name, state.copy()));
        return copy;
    }

    boolean any() {
        return !states.isEmpty();
    }

    boolean has(String name) {
        return states.containsKey(name);
    }

    // ------------------------------------------------------------------------------------------------ user commands

    void add(Schedule<?> schedule, String payload, boolean added, Instant now) {
        same("schedule added", !states.containsKey(schedule.name()), added);
        if (added) {
            State state = new State(schedule, payload);
            rests(state, isPause(state) ? now : next(state.recurrence, now, now));
            states.put(schedule.name(), state);
        }
    }

    void remove(String name, boolean removed) {
        same("schedule removed", states.remove(name) != null, removed);
    }

    /** Ticks during a pause are not made up for. */
    void pause(String name, boolean done) {
        State state = states.get(name);
        same("schedule paused", state != null && !state.paused, done);
        if (state != null) {
            state.paused = true;
            rests(state, null);
        }
    }

    void resume(String name, boolean done, Instant now) {
        State state = states.get(name);
        same("schedule resumed", state != null && state.paused, done);
        if (state != null && done) {
            state.paused = false;
            begin(state, now);
        }
    }

    void change(String name, Recurrence recurrence, boolean done, Instant now) {
        State state = states.get(name);
        same("schedule changed", state != null, done);
        if (state != null) {
            state.recurrence = recurrence;
            if (!state.paused) {
                begin(state, now);
            }
        }
    }

    /** Computes the next tick anew; a pause between runs counts from the end of the last run. */
    private static void begin(State state, Instant now) {
        if (isPause(state)) {
            rests(state, state.lastJob == null ? now : null);
            state.nextCheck = now;
        } else {
            rests(state, next(state.recurrence, now, now));
        }
    }

    private static void rests(State state, @Nullable Instant next) {
        state.next = next;
        state.nextCheck = next;
        state.waiting = false;
    }

    private static boolean isPause(State state) {
        return state.recurrence instanceof Recurrence.Pause;
    }

    private static Instant next(Recurrence recurrence, Instant after, Instant anchor) {
        if (recurrence instanceof Recurrence.Rate rate) {
            Instant next = anchor;
            while (!next.isAfter(after)) {
                next = next.plus(rate.every());
            }
            return next;
        }
        return recurrence.next(after, anchor);
    }

    // ------------------------------------------------------------------------------------------------ ticks

    private static boolean isDue(State state, Instant now) {
        return state.nextCheck != null && !now.isBefore(state.nextCheck);
    }

    /** {@return the schedules that a worker would process now} */
    Set<String> due(Instant now) {
        return states.values().stream()
                .filter(state -> isDue(state, now))
                .map(state -> state.schedule.name())
                .collect(Collectors.toSet());
    }

    /**
     * A worker processes due ticks.
     *
     * @param isSeenTo which schedules it has processed
     */
    void tick(Model model, Map<Long, Job> listed, Predicate<String> isSeenTo) {
        for (State state : states.values()) {
            if (isDue(state, model.now) && isSeenTo.test(state.schedule.name())) {
                if (state.recurrence instanceof Recurrence.Pause pause) {
                    fireAfterPause(model, state, pause.pause(), listed);
                } else {
                    due(model, state, listed);
                }
            }
        }
    }

    private void due(Model model, State state, Map<Long, Job> listed) {
        Instant now = model.now;
        Instant first = state.next;
        if (first == null) {
            throw new Difference("a schedule without a next tick is looked at");
        }
        List<Instant> due = new ArrayList<>();
        for (Instant tick = first; !tick.isAfter(now); tick = next(state.recurrence, tick, tick)) {
            due.add(tick);
        }
        Instant latest = due.get(due.size() - 1);
        Instant next = next(state.recurrence, latest, first);
        int most = state.schedule.missed().most();
        boolean late = Duration.between(latest, now).compareTo(LATE) > 0 && !state.waiting;
        if (late && most == 0) {
            rests(state, next);
            return;
        }
        int from = Math.max(0, due.size() - Math.max(1, most));
        for (Instant tick : due.subList(from, due.size())) {
            boolean isNew = enqueue(model, state, tick, listed) instanceof EnqueueResult.Inserted;
            if (!isNew && state.schedule.overlap() == Overlap.QUEUE) {
                state.waiting = true;
                state.nextCheck =
                        now.plus(checkDelay(Duration.between(first, now).dividedBy(10)));
                return;
            }
        }
        rests(state, next);
    }

    private void fireAfterPause(Model model, State state, Duration pause, Map<Long, Job> listed) {
        Instant due = state.next;
        if (due == null && state.lastJob == null) {
            due = model.now;
        } else if (due == null) {
            Spec last = model.job(Objects.requireNonNull(state.lastJob));
            if (model.isLive(last)) {
                state.nextCheck = model.now.plus(checkDelay(pause));
                return;
            }
            Instant ended = last == null ? null : last.waits() ? last.expires : last.finishedAt;
            due = (ended == null ? model.now : ended).plus(pause);
        }
        if (due.isAfter(model.now)) {
            rests(state, due);
            return;
        }
        EnqueueResult unused = enqueue(model, state, due, listed);
        rests(state, null);
        state.nextCheck = model.now.plus(checkDelay(pause));
    }

    private static Duration checkDelay(Duration wanted) {
        Duration most = Duration.ofMinutes(1);
        Duration least = Duration.ofSeconds(1);
        return wanted.compareTo(most) > 0 ? most : wanted.compareTo(least) < 0 ? least : wanted;
    }

    private EnqueueResult enqueue(Model model, State state, Instant tick, Map<Long, Job> listed) {
        String name = state.schedule.name();
        boolean overlaps = state.schedule.overlap() == Overlap.ALLOW;
        Spec last = state.lastJob == null ? null : model.job(state.lastJob);
        if (!overlaps && last != null && model.isLive(last)) {
            return new EnqueueResult.Duplicate(last.id);
        }
        EnqueueOptions options = state.schedule.options().uniqueKey("schedule " + name + (overlaps ? " " + tick : ""));
        Request wanted = new Request(state.schedule.type().kind(), state.payload, options, 0, 0);
        Optional<Long> found = listed.values().stream()
                .filter(job -> model.job(job.id()) == null
                        && name.equals(job.headers().get(Tick.SCHEDULE_HEADER))
                        && tick.toString().equals(job.headers().get(Tick.HEADER)))
                .map(Job::id)
                .findFirst();
        EnqueueResult result = found.isPresent()
                ? new EnqueueResult.Inserted(found.get())
                : new EnqueueResult.Duplicate(model.holderOf(wanted)
                        .orElseThrow(() -> new Difference("tick " + tick + " of " + name + " got no job")));
        model.enqueue(wanted, result);
        if (result instanceof EnqueueResult.Inserted) {
            state.lastTick = tick;
            state.lastJob = result.jobId();
        }
        return result;
    }

    /** A user enqueues an extra job. */
    void runNow(Model model, String name, Optional<EnqueueResult> result, Map<Long, Job> listed) {
        State state = states.get(name);
        if (state == null) {
            same("run of a schedule that is not there", Optional.empty(), result);
            return;
        }
        same("run of schedule " + name, enqueue(model, state, model.now, listed), result.orElse(null));
    }

    /** A user has enqueued an extra job, but the result is unknown. */
    void ranNow(Model model, String name, Map<Long, Job> listed) {
        State state = states.get(name);
        if (state == null) {
            throw new Difference("there is no schedule " + name);
        }
        EnqueueResult unused = enqueue(model, state, model.now, listed);
    }

    /** Requires that no check of a schedule is due before the time until which all workers sleep. */
    void sleep(Instant until) {
        states.forEach((name, state) -> {
            Instant nextCheck = state.nextCheck;
            if (nextCheck != null) {
                require(
                        !until.isAfter(nextCheck),
                        "workers sleep until %s, and schedule %s is to be looked at at %s",
                        until,
                        name,
                        nextCheck);
            }
        });
    }

    // ------------------------------------------------------------------------------------------------ queries

    void compare(List<ScheduleInfo> all) {
        List<ScheduleInfo> seen =
                all.stream().filter(info -> !info.name().equals(Releases.NAME)).toList();
        require(seen.size() == states.size(), "the model has %s schedules, the queue %s", states.size(), seen.size());
        for (ScheduleInfo info : seen) {
            State state = states.get(info.name());
            if (state == null) {
                throw new Difference("there should be no schedule " + info.name());
            }
            String name = "schedule " + info.name() + ": ";
            same(name + "recurrence", state.recurrence, info.recurrence());
            same(name + "next", state.next, info.nextAt());
            same(name + "paused", state.paused, info.pausedAt() != null);
            same(name + "last tick", state.lastTick, info.lastTick());
            same(name + "last job", state.lastJob, info.lastJobId());
        }
    }
}
