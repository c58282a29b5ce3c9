package dev.pawl.internal.schedule;

import dev.pawl.admin.Finding;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.feature.WorkerSetting;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.TickSource;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** Schedules, which enqueue recurring jobs. */
public final class ScheduleFeature implements Feature {
    @Override
    public String name() {
        return "schedules";
    }

    @Override
    public List<JobLink> links() {
        return List.of(
                JobLink.mentionsJob(
                        "pawl_schedule",
                        "last_job_id",
                        "the schedule continues, and checks this job before its next tick"),
                JobLink.mentionsJob("pawl_tick", "job_id", "the history of a schedule is deleted by its own age"));
    }

    @Override
    public List<Finding> findings(Database database) throws SQLException {
        return ScheduleFindings.of(database);
    }

    /** Leaves out schedules whose excluded days only other programs know. */
    @Override
    public List<WorkMoment> workMoments() {
        return List.of(new WorkMoment(TickSource.TICKS, query -> {
            Collection<String> declared = query.worker().declared();
            query.add(
                    TickSource.TICKS,
                    query.dialect().micros("MIN(next_check_at)"),
                    "FROM pawl_schedule WHERE next_check_at IS NOT NULL AND (local_exclusions = FALSE"
                            + (declared.isEmpty() ? "" : " OR name IN " + query.in(declared)) + ")");
        }));
    }

    @Override
    public List<WorkerSetting> workerSettings(Dialect dialect) {
        return List.of(new WorkerSetting(
                "tick",
                "NULL",
                "NULL",
                dialect.micros("MIN(next_check_at)"),
                "FROM pawl_schedule",
                (row, settings) -> settings.nextTick(row.number())));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected =
                Decision.unaffected("the schedule looks for its last job before its next tick, and finds any state");
        return switch (transition) {
            case ENQUEUE ->
                Decision.kernel("Firing turns a tick into a job in the transaction that moves the schedule on");
            case REPLACE, MERGE -> Decision.unaffected("a job of a schedule is not replaced");
            case PRUNE, DELETE, ERASE ->
                Decision.unaffected("the schedule goes on, and the history of its ticks is deleted by its own age");
            case UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW, ASSIGN, COMPLETE, FAIL -> unaffected;
            case DISCARD, STOP, SNOOZE, WAIT, SIGNAL, RELEASE, RESCUE, SWEEP, CANCEL, ASK_TO_STOP -> unaffected;
            case RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE -> unaffected;
        };
    }
}
