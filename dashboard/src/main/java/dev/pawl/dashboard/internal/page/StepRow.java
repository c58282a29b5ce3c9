package dev.pawl.dashboard.internal.page;

import dev.pawl.JobState;
import dev.pawl.JobStep;
import dev.pawl.dashboard.internal.look.Payloads;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job remembers, as a row of a table.
 *
 * @param kind step, signal or sleep
 * @param name given by the program
 * @param state waiting, done or given up
 * @param value its beginning; empty for none, or if payloads are not shown as they are
 * @param at when it was written last
 * @param until how long it waits; null if it does not
 * @param canRunFromHere whether the job can forget it and what came after it
 */
public record StepRow(
        String kind,
        String name,
        String state,
        String value,
        Instant at,
        @Nullable Instant until,
        boolean canRunFromHere) {
    private static final int LONGEST = 2_000;

    static List<StepRow> all(List<JobStep> steps, JobState state, Payloads payloads) {
        return steps.stream().map(step -> of(step, state, payloads)).toList();
    }

    private static StepRow of(JobStep step, JobState state, Payloads payloads) {
        boolean isDone = step.state() == JobStep.State.DONE;
        return new StepRow(
                Words.word(step.kind()),
                step.name(),
                Words.word(step.state()),
                shown(step.value(), payloads),
                step.at(),
                isDone ? null : step.until(),
                isDone && step.kind() == JobStep.Kind.STEP && state != JobState.RUNNING);
    }

    /** What programs keep of payloads is as secret as they are. */
    static String shown(@Nullable String value, Payloads payloads) {
        if (value == null) {
            return "";
        }
        if (!payloads.areShown()) {
            return "(not shown)";
        }
        return value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value;
    }
}
