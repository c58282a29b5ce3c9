package dev.pawl.internal.limit;

import dev.pawl.admin.Finding;
import dev.pawl.admin.WaitReason;
import dev.pawl.internal.feature.ClaimPauses;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.feature.WorkMoment;
import dev.pawl.internal.feature.WorkerSetting;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Limits of queues, kinds and concurrency keys. Their tables do not refer to jobs. */
public final class LimitFeature implements Feature {
    /** The pause of a queue, kind or key ends. */
    private static final WorkSource HOLDS = new WorkSource("HOLDS", WorkSource.By.MAIN_PATH);

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public List<JobLink> links() {
        return List.of();
    }

    @Override
    public List<WaitReason> waitReasons(WaitingJob job) throws SQLException {
        return LimitReasons.of(job);
    }

    @Override
    public List<Finding> findings(Database database) throws SQLException {
        return LimitFindings.of(database);
    }

    /** Permits have no work moment, because a worker requests them again as soon as it is no longer suspended. */
    @Override
    public List<WorkMoment> workMoments() {
        return List.of(new WorkMoment(
                HOLDS,
                query -> query.add(
                        HOLDS,
                        query.dialect().micros("MIN(paused_until)"),
                        "FROM pawl_limit WHERE paused_until > "
                                + query.dialect().now())));
    }

    @Override
    public Optional<ClaimPauses> claimPauses(Dialect dialect) {
        return Optional.of(new LimitPauses(dialect));
    }

    @Override
    public List<WorkerSetting> workerSettings(Dialect dialect) {
        return List.of(new WorkerSetting(
                "limit",
                "subject",
                "name",
                "0",
                "FROM pawl_limit WHERE (subject <> 'keys' OR rate_limit IS NOT NULL) AND (max_waiting IS NULL"
                        + " OR max_concurrency IS NOT NULL OR rate_limit IS NOT NULL OR paused_until IS NOT NULL)",
                (row, settings) -> subject(row.about(), row.name()).ifPresent(settings::limited)));
    }

    /** Returns empty for a subject that only a newer program knows. */
    private static Optional<Subject> subject(String of, String name) {
        return Stream.of(Subject.Of.values())
                .filter(each -> each.word().equals(of))
                .findAny()
                .map(each -> new Subject(each, name));
    }

    @Override
    public Decision on(Transition transition) {
        Decision unaffected = Decision.unaffected("limits are about runs, and their tables name no job");
        return switch (transition) {
            case CLAIM -> Decision.kernel("LocalLimits claims only what its permits allow");
            case BEGIN -> Decision.kernel("Runner takes a permit, and the start counts for the rate");
            case COMPLETE, FAIL, DISCARD, STOP, SNOOZE, WAIT, RELEASE ->
                Decision.kernel("the engine returns the permit after the run");
            case RESCUE -> Decision.kernel("the permits of a dead worker are allocated anew when they expire");
            case RENEW -> Decision.kernel("LimitKeeper renews the permits of the worker apart from the leases");
            case UNBLOCK -> Decision.kernel("KeyRates releases no more jobs of a key than its rate allows");
            case ENQUEUE, REPLACE, MERGE, START_NODE, PAUSE, RESUME, ASSIGN, SIGNAL, SWEEP, CANCEL -> unaffected;
            case ASK_TO_STOP, RETRY, REVIVE, MOVE, EDIT, RESCHEDULE, PRIORITIZE, DELETE, ERASE, PRUNE -> unaffected;
        };
    }
}
