package dev.pawl.dashboard.internal.page;

import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored step, signal or sleep of a job, as a row of a table.
 *
 * @param kind step, signal or sleep
 * @param name given by the program
 * @param state waiting, done or given up
 * @param value the beginning of its value, or a note that payloads are hidden; empty for no value
 * @param at when it was last written
 * @param until how long it waits; null if it does not
 * @param canRunFromHere whether the job can forget it and everything after it
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
                Formats.word(step.kind()),
                step.name(),
                Formats.word(step.state()),
                shown(step.value(), payloads),
                step.at(),
                isDone ? null : step.until(),
                isDone && step.kind() == JobStep.Kind.STEP && state != JobState.RUNNING);
    }

    /** Step values may contain parts of payloads, so they are hidden whenever payloads are. */
    static String shown(@Nullable String value, Payloads payloads) {
        if (value == null) {
            return "";
        }
        if (!payloads.areUnchanged()) {
            return "(not shown)";
        }
        return value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value;
    }
}
