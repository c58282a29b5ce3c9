package dev.pawl.specification;

import dev.pawl.api.JobState;
import dev.pawl.api.UniqueWhile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job as users see it. */
public final class Spec implements Cloneable {
    public final long id;
    final String kind;
    String queue = "default";
    /** The states in which it waits are all {@code AVAILABLE} here, see {@link #shown}. */
    public JobState state = JobState.AVAILABLE;

    int priority;
    int attempt;
    int maxAttempts = 20;
    String payload = "1";
    List<String> tags = List.of();

    @Nullable
    String key;

    @Nullable
    String unique;

    UniqueWhile scope = UniqueWhile.LIVE;

    @Nullable
    Instant uniqueUntil;

    /** It had expired when another job took its unique key. */
    boolean hasGivenItsKey;

    @Nullable
    Instant expires;

    /** The delay after a failure; null if its handler decides. */
    @Nullable
    Duration retry;

    int cost = 1;
    public long batch;
    /** When it may run; for a blocked job, from when its key may release it. */
    Instant due;
    /** If this is set, the queue may choose any time from {@link #due} to this one. */
    @Nullable
    Instant dueUntil;
    /** Blocked by its concurrency key. */
    boolean blocked;
    /** Pending: waits for other nodes of its workflow. */
    boolean pending;
    /** A worker is to cancel it, because one of its dependencies has failed. */
    boolean toCancel;
    /** Paused: its batch is paused, and a worker that claimed it returned it. */
    boolean paused;
    /** A user has made the job available although its key blocked it. The model leaves open whether other jobs of the key wait for it. */
    boolean outOfTurn;

    public boolean cancelRequested;
    /** Runs, but its worker did not get the reply to the claim. */
    boolean notBegun;
    /** It had expired when it was claimed, and will not start. */
    boolean isTooLate;
    /** The job is rescued. The model leaves open whether its claim counts as an attempt. */
    boolean rescueIsOpen;
    /** Its handler has ended, and the worker could not record the outcome yet. */
    boolean hasEnded;

    public long token;
    /** The number of its current claim. Each claim has a unique number in the model, independent of its token. */
    long claim;

    Instant leaseUntil = Instant.MIN;
    /** The time, by the worker's own clock, from which the worker that runs it may rescue it too. */
    Instant givenUp = Instant.MIN;

    @Nullable
    Instant finishedAt;

    /** The result of its last run. */
    @Nullable
    Integer result;

    boolean hadResult;

    final Instant enqueued;

    Spec(long id, String kind, Instant due) {
        this.id = id;
        this.kind = kind;
        this.due = due;
        this.enqueued = due;
    }

    Spec copy() {
        try {
            return (Spec) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    public boolean waits() {
        return state == JobState.AVAILABLE;
    }

    /** {@return its state, as the API shows it} */
    JobState shown() {
        if (!waits()) {
            return state;
        }
        return pending ? JobState.PENDING : paused ? JobState.PAUSED : blocked ? JobState.BLOCKED : JobState.AVAILABLE;
    }

    public boolean runs() {
        return state == JobState.RUNNING;
    }

    public boolean lives() {
        return !state.isFinished();
    }
}
