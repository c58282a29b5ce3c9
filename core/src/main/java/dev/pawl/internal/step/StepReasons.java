package dev.pawl.internal.step;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.JobStep;
import dev.pawl.internal.feature.WaitingJob;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Finds out whether a job waits for one of its steps. */
final class StepReasons {
    private StepReasons() {}

    /** {@return the reason; none if the job does not wait for a time, or none of its steps waits} */
    static List<WaitReason> of(WaitingJob waiting) throws SQLException {
        Instant due = waiting.due().orElse(null);
        if (due == null) {
            return List.of();
        }
        SqlSteps steps = new SqlSteps(waiting.database());
        Optional<JobStep> step =
                waiting
                        .database()
                        .autocommit(connection ->
                                steps.list(connection, waiting.job().id()))
                        .stream()
                        .filter(each -> each.state() == JobStep.State.WAITING)
                        .findFirst();
        return step.map(each -> List.of(reason(each, due))).orElse(List.of());
    }

    private static WaitReason reason(JobStep step, Instant due) {
        return step.kind() == JobStep.Kind.SIGNAL
                ? new WaitReason(
                        Cause.SIGNAL, "its handler waits for the signal '" + step.name() + "'", due, step.name())
                : new WaitReason(Cause.SCHEDULED, "its handler sleeps ('" + step.name() + "')", due, "");
    }
}
