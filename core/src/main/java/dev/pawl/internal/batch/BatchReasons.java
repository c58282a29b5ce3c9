package dev.pawl.internal.batch;

import dev.pawl.admin.WaitReason;
import dev.pawl.admin.WaitReason.Cause;
import dev.pawl.api.JobState;
import dev.pawl.internal.feature.WaitingJob;
import dev.pawl.internal.jdbc.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Why a job waits for its batch. */
final class BatchReasons {
    private BatchReasons() {}

    /** {@return the reasons; none if the job has no batch, or its batch does not keep it from running} */
    static List<WaitReason> of(WaitingJob waiting) throws SQLException {
        if (waiting.job().batch().isEmpty()) {
            return List.of();
        }
        long batch = waiting.job().batch().getAsLong();
        boolean isPaused = waiting.job().state() == JobState.PAUSED;
        Sql sql = waiting.database().dialect().statement("""
                SELECT CASE WHEN c.stopped_at IS NULL THEN 0 ELSE 1 END, CASE WHEN p.paused_at IS NULL THEN 0 ELSE 1 END,
                       COALESCE(p.canary, 0)
                  FROM pawl_batch_count c LEFT JOIN pawl_batch_pause p ON p.batch_id = c.batch_id WHERE c.batch_id = ?
                """);
        return waiting.database()
                .autocommit(connection -> sql.on(connection, batch)
                        .first(row -> reasons(row, batch, isPaused))
                        .orElse(List.of()));
    }

    private static List<WaitReason> reasons(ResultSet row, long batch, boolean isPaused) throws SQLException {
        String name = "batch " + batch;
        if (row.getInt(1) == 1) {
            String text = name
                    + " was stopped, because jobs failed or were cancelled: its waiting jobs will be cancelled soon";
            return List.of(reason(Cause.BATCH_STOPPED, text, batch));
        } else if (row.getInt(2) == 1) {
            return List.of(reason(Cause.BATCH_PAUSED, name + " is paused", batch));
        } else if (isPaused && row.getInt(3) > 0) {
            return List.of(reason(Cause.BATCH_CANARY, "the first jobs of " + name + " have not completed", batch));
        } else if (isPaused) {
            String text = name + " was paused, and releases its jobs within seconds";
            return List.of(reason(Cause.BATCH_PAUSED, text, batch));
        }
        return List.of();
    }

    private static WaitReason reason(Cause cause, String text, long batch) {
        return new WaitReason(cause, text, null, Long.toString(batch));
    }
}
