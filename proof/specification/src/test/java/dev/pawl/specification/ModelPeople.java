package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.CancelResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.UniqueWhile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What users do to jobs: to one, or to all that match. */
public final class ModelPeople {
    private final Model model;

    ModelPeople(Model model) {
        this.model = model;
    }

    public void cancel(long id, CancelResult result) {
        Spec job = model.job(id);
        if (job == null) {
            same("cancel", CancelResult.NOT_FOUND, result);
        } else if (job.runs()) {
            same("cancel", CancelResult.REQUESTED, result);
            job.cancelRequested = true;
        } else if (job.waits()) {
            same("cancel", CancelResult.CANCELLED, result);
            model.finish(job, JobState.CANCELLED);
        } else {
            same("cancel", CancelResult.ALREADY_FINISHED, result);
        }
    }

    public void retry(long id, RetryResult result) {
        Spec job = model.job(id);
        same("retry of job " + id, retried(job), result);
        if (result == RetryResult.AVAILABLE_NOW && job != null) {
            makeAvailable(job);
        }
    }

    private RetryResult retried(@Nullable Spec job) {
        if (job == null) {
            return RetryResult.NOT_FOUND;
        }
        if (job.runs()) {
            return RetryResult.RUNNING;
        }
        return job.state.isFinished() && isKeyOfALiveJob(job) ? RetryResult.KEY_TAKEN : RetryResult.AVAILABLE_NOW;
    }

    private boolean isKeyOfALiveJob(Spec job) {
        return job.unique != null
                && !job.hasGivenItsKey
                && job.scope != UniqueWhile.WAITING
                && model.all()
                        .anyMatch(other ->
                                model.isLive(other) && other.kind.equals(job.kind) && job.unique.equals(other.unique));
    }

    /**
     * A finished job gets one more attempt, and is blocked by its key if it has one. A waiting job becomes available at once, even if its
     * key blocks it.
     */
    private void makeAvailable(Spec job) {
        if (job.state.isFinished()) {
            model.batches.livesAgain(job);
            if (!job.hasGivenItsKey) {
                model.takesKeyOfExpired(job);
            }
            job.state = JobState.AVAILABLE;
            job.finishedAt = null;
            job.result = null;
            job.maxAttempts = Math.max(job.maxAttempts, job.attempt + 1);
            job.pending = model.batches.isPending(job);
            job.blocked = job.key != null && !job.pending;
            job.due = model.now;
            job.dueUntil = null;
        } else {
            if (job.blocked || job.paused || job.pending || model.now.isBefore(job.due)) {
                job.due = model.now;
                job.dueUntil = null;
            }
            job.outOfTurn |= job.blocked || (job.pending && job.key != null);
            job.pending = false;
            job.paused = false;
            job.blocked = false;
        }
    }

    /** An edit was refused, which is allowed only if plain text would replace an encrypted payload. */
    public void editRefused(long id, Edit edit, RuntimeException refusal) {
        Spec job = model.job(id);
        require(
                edit == Edit.PAYLOAD && job != null && Secret.isSecret(job.payload),
                "the edit is refused: %s",
                refusal);
    }

    public void edit(long id, Edit edit, EditResult result) {
        Spec job = model.job(id);
        if (job == null) {
            same("edit", EditResult.NOT_FOUND, result);
        } else if (!job.waits()) {
            same("edit", job.runs() ? EditResult.RUNNING : EditResult.ALREADY_FINISHED, result);
        } else {
            same("edit", EditResult.CHANGED, result);
            switch (edit) {
                case PRIORITY -> job.priority = 3;
                case PAYLOAD -> {
                    require(!Secret.isSecret(job.payload), "an encrypted payload was replaced by plain text");
                    job.payload = "3";
                }
                case LATER -> reschedule(job, model.now.plusSeconds(60));
                case NOW -> reschedule(job, model.now);
            }
        }
    }

    private void reschedule(Spec job, Instant at) {
        job.due = at;
        job.dueUntil = null;
        job.paused = false;
        job.pending = false;
        job.blocked = job.key != null;
        job.outOfTurn = false;
    }

    /**
     * {@return how many jobs are changed} Completed jobs of a lane may be removed later, so a removal does not change those that are still
     * in {@code listed}.
     */
    public long changeAll(Which which, Change change, Map<Long, Job> listed) {
        return changeAll(which, change, listed, job -> true);
    }

    /**
     * Changes the jobs that a change reached before it failed.
     *
     * @param isReached which of the matching jobs it reached
     */
    public long changeAll(Which which, Change change, Map<Long, Job> listed, Predicate<Spec> isReached) {
        long changed = 0;
        List<Spec> newestFirst = new ArrayList<>(
                model.all().filter(which::matches).filter(isReached).toList());
        Collections.reverse(newestFirst);
        for (Spec job : newestFirst) {
            boolean removes = change == Change.DELETE || change == Change.ERASE;
            boolean left = model.lanes && removes && job.state == JobState.COMPLETED && listed.containsKey(job.id);
            changed += !left && change(job, change, which) ? 1 : 0;
        }
        return changed;
    }

    private boolean change(Spec job, Change change, Which which) {
        switch (change) {
            case CANCEL -> {
                if (job.waits()) {
                    model.finish(job, JobState.CANCELLED);
                    return true;
                }
                job.cancelRequested |= job.runs();
                return job.runs();
            }
            case RETRY -> {
                boolean isDelayed = job.waits() && !job.paused && !job.pending && model.now.isBefore(job.due);
                if (isDelayed && job.blocked) {
                    boolean failed = job.attempt > 0 || which.names(JobState.BLOCKED);
                    if (failed) {
                        reschedule(job, model.now);
                    }
                    return failed;
                }
                boolean applies = (isDelayed && (job.attempt > 0 || which.names(JobState.AVAILABLE)))
                        || (job.state.isFinished()
                                && (job.state == JobState.DISCARDED || which.names(job.state))
                                && !isKeyOfALiveJob(job));
                if (applies) {
                    makeAvailable(job);
                    job.blocked |= !job.pending && model.isOnHold(job);
                }
                return applies;
            }
            case DELETE -> {
                return job.state.isFinished() && model.delete(job);
            }
            case ERASE -> {
                if (job.runs()) {
                    job.cancelRequested = true;
                    return false;
                }
                if (job.waits()) {
                    model.finish(job, JobState.CANCELLED);
                }
                return model.remove(job);
            }
            case PRIORITIZE -> {
                job.priority = job.waits() ? -2 : job.priority;
                return job.waits();
            }
            case MOVE_TO_B -> {
                if (job.waits() && !job.queue.equals("b")) {
                    job.queue = "b";
                    job.blocked = job.key != null && !job.pending; // a release in the old queue does not count here
                    job.outOfTurn &= !job.blocked;
                    return true;
                }
                return job.waits();
            }
            case RESCHEDULE_1M, RESCHEDULE_NOW -> {
                boolean applies = job.waits() && !job.paused && !job.pending;
                if (applies) {
                    reschedule(job, change == Change.RESCHEDULE_1M ? model.now.plusSeconds(60) : model.now);
                }
                return applies;
            }
        }
        throw new AssertionError(change);
    }
}
