package dev.pawl.internal.jdbc;

import dev.pawl.api.JobState;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The states that rows of {@code pawl_job} have, as conditions. No other place lists their numbers. These conditions are for
 * statements that go along an index on the state or read all rows; {@link Dialect} has those for rows that are found by their ids.
 */
public final class RowStates {
    /** May be claimed, now or when its time has come; {@code pawl_job_ready} contains these rows. */
    public static final String CLAIMABLE = is(JobState.AVAILABLE);

    /** A worker has claimed it. */
    public static final String RUNS = is(JobState.RUNNING);

    /** Has completed, and soon moves to the history. */
    public static final String MARKED = is(JobState.COMPLETED);

    /** Waits in any way. */
    public static final String WAITS = isIn(waiting());

    /** Waits or runs. */
    public static final String LIVE = "state <> " + JobState.COMPLETED.code();

    /** The condition of the index {@code pawl_job_waiting}: SQLite uses the index only for queries with the same condition. */
    private static final String INDEXED = "state > " + JobState.DISCARDED.code() + " AND ";

    /** Waits for other jobs or its batch; {@code pawl_job_waiting} contains these rows. */
    public static final String WAITS_FOR_OTHERS = INDEXED + isIn(waitingForOthers());

    private RowStates() {}

    /** {@return the states of jobs that wait} */
    public static JobState[] waiting() {
        return Stream.of(JobState.values()).filter(JobState::isWaiting).toArray(JobState[]::new);
    }

    /** {@return the states of jobs that wait for others} */
    public static JobState[] waitingForOthers() {
        return Stream.of(JobState.values()).filter(JobState::waitsForOthers).toArray(JobState[]::new);
    }

    /** {@return the condition that a row has a state, written so that the index on that state is used} */
    public static String along(JobState state) {
        return state.waitsForOthers() ? INDEXED + is(state) : is(state);
    }

    /** {@return the condition that a row has a state} */
    public static String is(JobState state) {
        return "state = " + state.code();
    }

    /** {@return the condition that a row has one of some states} */
    public static String isIn(JobState... states) {
        return states.length == 1 ? is(states[0]) : "state IN (" + codes(states) + ")";
    }

    /** {@return the numbers of states, separated by commas} */
    static String codes(JobState... states) {
        return Arrays.stream(states)
                .map(state -> Integer.toString(state.code()))
                .collect(Collectors.joining(", "));
    }
}
