package dev.pawl.specification.faults;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How a call to the database fails. */
interface Answer {
    /**
     * {@return whether it can be the answer to a call}
     *
     * @param call the name of the method
     * @param commits whether the call ends a transaction: a commit, or a statement on its own
     */
    boolean isFor(String call, boolean commits);

    /** {@return whether the server has executed the call} */
    boolean isAfter(boolean commits);

    /** {@return how many calls in a row it answers} */
    int times();

    /** {@return whether the process dies} */
    boolean isDeath();

    /** {@return whether the same step may succeed later} */
    boolean isTransient();

    /**
     * {@return the error; null if the connection is lost} Leaves the transaction in the state in which the server would leave it.
     *
     * @param real the connection on which the call was made
     * @param call its name
     */
    @Nullable
    SQLException refusal(Connection real, String call) throws SQLException;

    /** {@return the error of a lost connection} */
    default SQLException lost(String call) {
        return new SQLException("the connection broke at " + call + " (made up)", "08006");
    }
}
