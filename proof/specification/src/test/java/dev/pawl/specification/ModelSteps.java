package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.api.JobStep;
import dev.pawl.api.SignalResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What jobs keep from one run to the next: finished steps, received signals, pending waits. */
final class ModelSteps {
    /** A step, a signal or a sleep; a step and a signal may have the same name. */
    record Name(JobStep.Kind kind, String name) {}

    /** The state of a step. {@code until} is the end of the job's wait; {@code met} says whether a run has reached the step. */
    private record Step(
            JobStep.State state,
            @Nullable String value,
            @Nullable Instant until,
            boolean met) {}

    private Map<Long, Map<Name, Step>> jobs = new HashMap<>();

    ModelSteps copy() {
        ModelSteps copy = new ModelSteps();
        jobs.forEach((id, steps) -> copy.jobs.put(id, new LinkedHashMap<>(steps)));
        return copy;
    }

    private Map<Name, Step> of(long job) {
        return jobs.computeIfAbsent(job, any -> new LinkedHashMap<>());
    }

    private @Nullable Step find(long job, Name name) {
        return jobs.getOrDefault(job, Map.of()).get(name);
    }

    /** {@return whether a run of the job has reached a step, whose result might not fit another payload} */
    boolean anyOf(long job) {
        return jobs.getOrDefault(job, Map.of()).values().stream().anyMatch(Step::met);
    }

    /** A run has taken a step, and got {@code value}. {@code made} is the value that this run would compute if none is stored. */
    void step(long job, String name, String made, String value) {
        Name step = new Name(JobStep.Kind.STEP, name);
        Step before = find(job, step);
        same("value of step " + name + " of job " + job, before == null ? made : before.value, value);
        of(job).putIfAbsent(step, new Step(JobStep.State.DONE, value, null, true));
    }

    /** {@return until when a job waits for a signal or sleeps; null if it goes on} */
    @Nullable
    Instant waitFor(long job, Name name, Duration longest, Instant now) {
        Step step = find(job, name);
        if (step == null) {
            step = new Step(JobStep.State.WAITING, null, now.plus(longest), true);
            of(job).put(name, step);
        }
        Instant until = step.until;
        if (until != null && !now.isBefore(until)) {
            boolean rest = name.kind() == JobStep.Kind.SLEEP;
            of(job).put(name, new Step(rest ? JobStep.State.DONE : JobStep.State.GIVEN_UP, null, null, true));
            return null;
        }
        return until;
    }

    /** {@return the value of a signal; null if none has arrived} */
    @Nullable
    String value(long job, Name name) {
        Step step = find(job, name);
        return step == null ? null : step.value;
    }

    /** {@return whether the job waited for the signal, and goes on now} */
    boolean signal(long job, @Nullable Spec there, String name, String value, SignalResult result) {
        Name signal = new Name(JobStep.Kind.SIGNAL, name);
        Step before = find(job, signal);
        SignalResult expected = there == null
                ? SignalResult.NOT_FOUND
                : !there.lives()
                        ? SignalResult.ALREADY_FINISHED
                        : before == null || before.state == JobStep.State.WAITING
                                ? SignalResult.DELIVERED
                                : before.state == JobStep.State.DONE
                                        ? SignalResult.ALREADY_SENT
                                        : SignalResult.TOO_LATE;
        same("signal to job " + job, expected, result);
        if (result != SignalResult.DELIVERED) {
            return false;
        }
        of(job).put(signal, new Step(JobStep.State.DONE, value, null, before != null));
        return before != null;
    }

    /** {@return whether the job has a step with this name, from which it can be retried} */
    boolean has(long job, String name) {
        return jobs.getOrDefault(job, Map.of()).keySet().stream()
                .anyMatch(each -> each.name().equals(name));
    }

    /** Deletes the step and the later ones, except signals that have arrived. */
    void forget(long job, String from) {
        boolean after = false;
        for (Map.Entry<Name, Step> each : List.copyOf(of(job).entrySet())) {
            boolean named = each.getKey().name().equals(from);
            after |= named && each.getValue().met();
            boolean stays = each.getKey().kind() == JobStep.Kind.SIGNAL && each.getValue().state == JobStep.State.DONE;
            if (named || (after && each.getValue().met() && !stays)) {
                of(job).remove(each.getKey());
            }
        }
    }

    /**
     * Compares with the queue.
     *
     * @param of the jobs to compare
     * @param there jobs that exist
     */
    void compare(Set<Long> of, Set<Long> there, LongFunction<List<JobStep>> look) {
        jobs.keySet().retainAll(there);
        for (long id : of) {
            if (there.contains(id)) {
                List<String> expected = new ArrayList<>();
                List<String> found = new ArrayList<>();
                jobs.getOrDefault(id, Map.of())
                        .forEach((name, step) ->
                                expected.add(name + " " + step.state + " " + step.value + " " + step.until));
                look.apply(id)
                        .forEach(step -> found.add(new Name(step.kind(), step.name()) + " " + step.state() + " "
                                + step.value() + " " + step.until()));
                require(
                        expected.size() == found.size() && found.containsAll(expected),
                        "steps of job %s: the model says %s, the queue %s",
                        id,
                        expected,
                        found);
            }
        }
    }

    boolean any() {
        return !jobs.isEmpty();
    }
}
