package dev.pawl.internal.admin;

import dev.pawl.admin.JobEdit;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.internal.feature.RowChanges;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Changes a waiting job that is locked, and logs its former values. */
final class Edits {
    private final Dialect dialect;
    private final RowChanges linked;

    Edits(Dialect dialect, RowChanges linked) {
        this.dialect = dialect;
        this.linked = linked;
    }

    /** Makes the edit; returns false, without a change, if the payload is not the expected one. */
    boolean make(Connection connection, long jobId, JobEdit edit, String by) throws SQLException {
        Job before = read(connection, jobId);
        if (edit.payloadWas() != null && !edit.payloadWas().equals(before.payload())) {
            return false;
        }
        if (edit.payload() != null) {
            requireEncryptedLike(before, edit.payload());
        }
        List<String> what = new ArrayList<>();
        Integer priority = edit.priority();
        if (priority != null) {
            what.add("priority " + before.priority() + " -> " + priority);
            update(connection, "priority = ?", jobId, priority);
            linked.prioritizing(connection, List.of(jobId), priority);
        }
        Instant at = edit.availableAt();
        if (at != null) {
            what.add("available " + (before.state().waitsForOthers() ? "after other jobs" : before.availableAt())
                    + " -> " + at);
            update(connection, RowStates.CLAIMABLE + ", available_at = " + dialect.moment(), jobId, at);
            linked.rescheduled(connection, List.of(jobId));
        }
        if (edit.payload() != null) {
            dialect.requireFits(connection, edit.payload());
            what.add("payload, which was: " + before.payload());
            update(connection, "payload = ?", jobId, edit.payload());
        }
        if (!what.isEmpty()) {
            note(connection, before, "changed by " + by + ": " + String.join("; ", what));
        }
        return true;
    }

    /** Refuses to replace an encrypted payload by plain text, which everyone with access to the database could read. */
    private static void requireEncryptedLike(Job before, String payload) {
        if (EncryptedCodec.isEncrypted(before.payload()) && !EncryptedCodec.isEncrypted(payload)) {
            throw new InvalidJobException("the payload of job " + before.id()
                    + " is encrypted, and what should replace it is not: everybody who sees the database could read it,"
                    + " and programs that refuse plain text would fail the job. Nothing was changed. Change it from a"
                    + " program that has the key, with the text that its codec makes"
                    + " (docs/guides/payloads.md, \"Encryption and compression\")");
        }
    }

    private Job read(Connection connection, long jobId) throws SQLException {
        Sql sql = dialect.statement("SELECT " + JobRows.LIVE + " FROM pawl_job WHERE id = ?");
        return sql.on(connection, jobId).one(row -> JobRows.live(dialect, row));
    }

    private void update(Connection connection, String set, long jobId, Object value) throws SQLException {
        dialect.statement("UPDATE pawl_job SET " + set + " WHERE id = ?")
                .on(connection, value, jobId)
                .run();
    }

    private void note(Connection connection, Job job, String line) throws SQLException {
        Sql sql = dialect.statement(
                "INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) VALUES (?, ?, " + dialect.now() + ", ?)");
        sql.on(connection, job.id(), job.attempt(), line).run();
    }
}
