package dev.pawl.lab.run;

import dev.pawl.lab.contender.Contender;
import dev.pawl.lab.database.Scratch;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Applies a trial's disturbance, from beginning to end. */
final class AppliedDisturbance implements AutoCloseable {
    private final @Nullable Connection holder;
    private final String dialect;

    private AppliedDisturbance(@Nullable Connection holder, String dialect) {
        this.holder = holder;
        this.dialect = dialect;
    }

    static AppliedDisturbance of(Cell cell, LabFile.Plan plan, Contender contender, Scratch scratch) throws Exception {
        return switch (cell.hindrance()) {
            case NONE, NO_DETECTION, BACKLOG -> new AppliedDisturbance(null, scratch.dialect());
            case DELAYED -> {
                contender.enqueueDelayed(plan.delayed());
                yield new AppliedDisturbance(null, scratch.dialect());
            }
            case HELD_SNAPSHOT -> new AppliedDisturbance(DriverManager.getConnection(scratch.url()), scratch.dialect());
        };
    }

    /** Called when the jobs are committed: a snapshot taken now keeps all their old versions. */
    void jobsAreThere() throws SQLException {
        if (holder == null) {
            return;
        }
        String read = switch (dialect) {
            case "postgresql" -> "SELECT 1";
            case "mysql" -> "START TRANSACTION WITH CONSISTENT SNAPSHOT";
            default -> "SELECT COUNT(*) FROM sqlite_master";
        };
        if (!dialect.equals("sqlite")) {
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        }
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            statement.execute(read);
        }
    }

    @Override
    public void close() throws SQLException {
        if (holder != null) {
            if (!holder.getAutoCommit()) {
                holder.rollback();
            }
            holder.close();
        }
    }
}
