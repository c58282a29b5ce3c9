package dev.pawl.internal.place;

import dev.pawl.api.JobState;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Gives single jobs rows of their own, so that a user's command applies to them as to any other job. Runs in a transaction of the caller,
 * which sees the latest commits. Thread-safe.
 */
public interface PlaceCommands {
    /**
     * Gives an available or running job a row of its own.
     *
     * @param connection in the transaction
     * @param id the job
     * @return the state of the job in the place; null if it is not here, or has left
     * @throws SQLException from the driver; a violation of a unique index if a claim was faster, after which the caller
     *     should try again
     */
    @Nullable
    JobState giveRow(Connection connection, long id) throws SQLException;

    /**
     * Makes a completed job available again, in a row of its own.
     *
     * @param connection in the transaction
     * @param id the job
     * @return the state of the job in the place; null if it is not here, or has left. The job was changed only if this state is completed.
     * @throws SQLException from the driver
     */
    @Nullable
    JobState revive(Connection connection, long id) throws SQLException;
}
