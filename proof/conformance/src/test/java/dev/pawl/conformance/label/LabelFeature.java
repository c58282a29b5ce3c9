package dev.pawl.conformance.label;

import dev.pawl.admin.Finding;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.DutyContext;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.RowChanges;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Duty;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Labels with a quota. A job has a label by its header {@code label}. {@code pawl_label_quota} bounds the live jobs of each label, and has
 * the result of the workers' last count of these jobs. {@code pawl_label} has the label and the queue of each job.
 */
public final class LabelFeature implements Feature {
    /** The header with the label of a job. */
    public static final String HEADER = "label";

    /** Other tests, which run at the same time, have databases without the tables. */
    private static final ThreadLocal<Boolean> HAS_TABLES = ThreadLocal.withInitial(() -> false);

    private static final Duration COUNT = Duration.ofMillis(100);

    private final boolean isInstalled = HAS_TABLES.get();

    /** Opens something with this feature. */
    @FunctionalInterface
    public interface Opening<T> {
        /** {@return what was opened} */
        T open() throws SQLException;
    }

    /** {@return what the function opens with this feature, on a database that has the feature's tables} */
    public static <T> T with(Opening<T> opening) throws SQLException {
        HAS_TABLES.set(true);
        try {
            return opening.open();
        } finally {
            HAS_TABLES.remove();
        }
    }

    @Override
    public String name() {
        return "labels";
    }

    @Override
    public List<JobLink> links() {
        return isInstalled ? List.of(JobLink.partOfJob("pawl_label", "written_at")) : List.of();
    }

    @Override
    public Decision on(Transition transition) {
        return isInstalled ? decide(transition) : Decision.unaffected("this database has no labels");
    }

    private static Decision decide(Transition transition) {
        return switch (transition) {
            case ENQUEUE -> Decision.hook("the quota must have room; the label is written");
            case REPLACE, MERGE -> Decision.hook("the job gets the label of the one that replaces it");
            case MOVE -> Decision.hook("the label names the new queue");
            case PRUNE, DELETE, ERASE -> Decision.deleteRows();
            case REVIVE -> Decision.unaffected("a user may exceed the quota");
            case COMPLETE, DISCARD, STOP, CANCEL, SWEEP ->
                Decision.unaffected("the quota is about live jobs; the label stays with the job");
            case UNBLOCK, START_NODE, PAUSE, RESUME, CLAIM, BEGIN, RENEW, ASSIGN, FAIL, SNOOZE, WAIT, SIGNAL ->
                Decision.unaffected("the job stays live");
            case RELEASE, RESCUE, ASK_TO_STOP, RETRY, EDIT, RESCHEDULE, PRIORITIZE ->
                Decision.unaffected("the job stays live");
        };
    }

    @Override
    public Optional<EnqueueHook> enqueueHook(EnqueueContext context) {
        return Optional.of(new Labelling(context.dialect()));
    }

    @Override
    public Optional<RowChanges> changes(Dialect dialect) {
        return Optional.of(new RowChanges() {
            @Override
            public void moving(Connection connection, List<Long> ids, String queue) throws SQLException {
                String where = dialect.anyOf("job_id", ids.size());
                dialect.statement("UPDATE pawl_label SET queue = ? WHERE " + where)
                        .on(connection, queue, ids)
                        .run();
            }
        });
    }

    /** Users see in the quotas how many live jobs each label has. */
    @Override
    public List<Duty> duties(DutyContext context) {
        if (!isInstalled) {
            return List.of();
        }
        Database database = context.database();
        Sql count = database.dialect()
                .statement("UPDATE pawl_label_quota AS q SET live = (SELECT COUNT(*) FROM pawl_label l"
                        + " JOIN pawl_job j ON j.id = l.job_id WHERE l.label = q.label AND j."
                        + database.dialect().isLive() + ")");
        return List.of(new Duty("count jobs with labels", COUNT, Duty.WhileSuspended.MAY_WAIT, () -> {
            int unused = database.transaction(connection -> count.on(connection).update());
        }));
    }

    @Override
    public List<Finding> findings(Database database) throws SQLException {
        if (!isInstalled) {
            return List.of();
        }
        Sql full = database.dialect()
                .statement("SELECT label, quota FROM pawl_label_quota WHERE live >= quota ORDER BY label");
        return database.autocommit(connection -> full.on(connection)
                .list(row -> new Finding(
                        Finding.Level.ADVICE,
                        "label " + row.getString(1),
                        "its quota of " + row.getInt(2) + " live jobs is used up; let them finish, or raise it")));
    }

    private record Labelling(Dialect dialect) implements EnqueueHook {
        /** A job without a label may replace one that has a label. */
        @Override
        public boolean concerns(JobRequest job) {
            return label(job) != null || job.options().onDuplicate() == OnDuplicate.REPLACE;
        }

        /** Live jobs are counted by their rows, and a job in a lane has no row. */
        @Override
        public boolean needsRows() {
            return true;
        }

        private static @Nullable String label(JobRequest job) {
            return job.options().headers().get(HEADER);
        }

        @Override
        public Enqueuing before(Connection connection, List<JobRequest> jobs) throws SQLException {
            Map<String, Integer> more = new TreeMap<>();
            for (JobRequest job : jobs) {
                String label = label(job);
                if (label != null) {
                    more.merge(label, 1, Integer::sum);
                }
            }
            for (Map.Entry<String, Integer> each : more.entrySet()) {
                requireRoom(connection, each.getKey(), each.getValue());
            }
            return new Enqueuing() {
                @Override
                public List<JobRequest> jobs() {
                    return jobs;
                }

                @Override
                public void after(Connection same, List<EnqueueResult> results) throws SQLException {
                    for (int place = 0; place < jobs.size(); place++) {
                        write(same, jobs.get(place), results.get(place));
                    }
                }
            };
        }

        /** Locks the quota, so that two transactions do not take the last free place. */
        private void requireRoom(Connection connection, String label, int more) throws SQLException {
            Optional<Integer> quota = dialect.statement(
                            "SELECT quota FROM pawl_label_quota WHERE label = ? " + dialect.forUpdate())
                    .on(connection, label)
                    .first(row -> row.getInt(1));
            long live = dialect.statement("SELECT COUNT(*) FROM pawl_label l JOIN pawl_job j ON j.id = l.job_id"
                            + " WHERE l.label = ? AND j." + dialect.isLive())
                    .on(connection, label)
                    .one(row -> row.getLong(1));
            if (quota.isPresent() && live + more > quota.get()) {
                throw new InvalidJobException("label '" + label + "' has " + live + " live jobs of " + quota.get());
            }
        }

        private void write(Connection connection, JobRequest job, EnqueueResult result) throws SQLException {
            if (result instanceof EnqueueResult.Replaced) {
                dialect.statement("DELETE FROM pawl_label WHERE job_id = ?")
                        .on(connection, result.jobId())
                        .run();
            }
            String label = label(job);
            if (label != null && !(result instanceof EnqueueResult.Duplicate)) {
                dialect.statement("INSERT INTO pawl_label (job_id, label, queue, written_at) VALUES (?, ?, ?, "
                                + dialect.now() + ")")
                        .on(
                                connection,
                                result.jobId(),
                                label(job),
                                job.options().queue())
                        .run();
            }
        }
    }
}
