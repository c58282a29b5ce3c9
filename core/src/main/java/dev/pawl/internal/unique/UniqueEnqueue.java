package dev.pawl.internal.unique;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.internal.enqueue.ExpiredKey;
import dev.pawl.internal.feature.BegunRows;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.InsertJobs;
import dev.pawl.internal.feature.LiveJob;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Retry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Objects;

/** Enqueues jobs with unique keys, each in statements of its own, so that the result can name the existing job. */
final class UniqueEnqueue implements EnqueueHook, EnqueueHook.SingleJobWriter {
    /** Maximum number of tries while the key passes from job to job. */
    private static final int TRIES = 100;

    static final String SAME_KEY = "for a job with the same unique key";
    /** Number of tries that skip a locked job. Later tries wait for the lock. A claim holds the lock only for a moment. */
    private static final int SKIP_LOCKED_TRIES = 8;

    private static final Comparator<JobRequest> ORDER =
            Comparator.comparing(JobRequest::kind).thenComparing(UniqueEnqueue::key);

    private final InsertJobs insertJobs;
    private final HeldKeys heldKeys;
    private final ExpiredKey expiredKey;
    private final ReplaceJob replaceUnlocked;
    private final ReplaceJob replace;

    UniqueEnqueue(EnqueueContext context) {
        Dialect dialect = context.dialect();
        BegunRows begun = context.begun();
        insertJobs = context.rows();
        expiredKey = new ExpiredKey(dialect);
        replaceUnlocked = new ReplaceJob(dialect, begun, insertJobs.waitingJob());
        replace = new ReplaceJob(dialect, begun, InsertJobs.waitingJob(dialect));
        heldKeys = new HeldKeys(context, replace, this::unlessLive);
    }

    @Override
    public boolean concerns(JobRequest job) {
        return job.options().uniqueKey() != null;
    }

    @Override
    public boolean needsRows() {
        return true;
    }

    @Override
    public SingleJobWriter writer() {
        return this;
    }

    @Override
    public Comparator<JobRequest> order() {
        return ORDER;
    }

    private static String key(JobRequest job) {
        return Objects.requireNonNull(job.options().uniqueKey());
    }

    @Override
    public EnqueueResult write(Connection connection, JobRequest job) throws SQLException {
        EnqueueOptions options = job.options();
        boolean isHeld = options.uniqueFor() != null || options.uniqueWhile() != UniqueWhile.LIVE;
        return isHeld ? heldKeys.enqueue(connection, job) : unlessLive(connection, job);
    }

    private EnqueueResult unlessLive(Connection connection, JobRequest job) throws SQLException {
        boolean mayReplace = job.options().onDuplicate() == OnDuplicate.REPLACE;
        for (int tries = 1; tries <= TRIES; tries++) {
            LiveJob live = insertJobs.insertUnique(connection, job, tries > 1);
            if (live != null) {
                if (live.phase() == LiveJob.Phase.NEW) {
                    return new EnqueueResult.Inserted(live.id());
                }
                if (live.expiredAt() != null) {
                    if (job.options().uniqueWhile() == UniqueWhile.KEPT) {
                        return new EnqueueResult.Duplicate(live.id());
                    }
                    boolean unused = expiredKey.take(connection, key(job), live.id());
                    continue;
                }
                if (!mayReplace || live.phase() != LiveJob.Phase.WAITING || live.isTied()) {
                    return new EnqueueResult.Duplicate(live.id());
                }
                if ((tries <= SKIP_LOCKED_TRIES ? replaceUnlocked : replace).replace(connection, job, live.id())) {
                    return new EnqueueResult.Replaced(live.id());
                }
                if (replace.hasBegun(connection, live.id())) { // the job has begun with its own payload
                    return new EnqueueResult.Duplicate(live.id());
                }
            }
            Retry.RACE.pause(tries, SAME_KEY);
        }
        throw new SQLException(
                "unique key '" + job.options().uniqueKey() + "' of kind '" + job.kind()
                        + "' kept changing hands; try the enqueue again",
                "40001");
    }
}
