package dev.pawl.specification;

import dev.pawl.api.JobState;
import dev.pawl.api.UniqueWhile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job as users can see it. */
public final class Spec implements Cloneable {
    public final long id;
    final String kind;
    String queue = "default";
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

    /** What it waits after a failure; null if its handler decides. */
    @Nullable
    Duration retry;

    int cost = 1;
    public long batch;
    /** When it may run, or when it takes its place in the line of its key. */
    Instant due;
    /** Anything between {@link #due} and this is right; the queue decides. */
    @Nullable
    Instant dueUntil;
    /** Waits for its turn among the jobs of its key. */
    boolean waitsForTurn;
    /** Waits for other nodes of its workflow. */
    boolean blocked;
    /** A worker is to cancel it, because one that it waited for has failed. */
    boolean toCancel;
    /** Its batch is paused, and a worker that came upon it has put it aside. */
    boolean putAside;
    /** A person has made it run before its turn; whether the others of its key wait for it is left open. */
    boolean outOfTurn;

    public boolean cancelRequested;
    /** Runs, but its worker has not heard of the claim. */
    boolean notBegun;
    /** It had expired when it was claimed, and will not begin. */
    boolean isTooLate;
    /** It is rescued, and it is left open whether it counts as begun. */
    boolean rescueIsOpen;
    /** Its handler has ended, and the worker could not record it yet. */
    boolean hasEnded;

    public long token;
    /** Under which claim it runs: each has a number of its own here, independent of the tokens. */
    long claim;

    Instant leaseUntil = Instant.MIN;
    /** From then on, by the clock of the worker, the worker that runs it rescues it as others do. */
    Instant givenUp = Instant.MIN;

    @Nullable
    Instant finishedAt;

    /** What its last run gave. */
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

    public boolean runs() {
        return state == JobState.RUNNING;
    }

    public boolean lives() {
        return !state.isFinished();
    }
}
