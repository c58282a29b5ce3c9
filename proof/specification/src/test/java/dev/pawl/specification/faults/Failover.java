package dev.pawl.specification.faults;

import dev.pawl.specification.Difference;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A failover: on open connections the old server answers, but is read-only. A client that retries must soon reach the new one.
 *
 * @param step that hits the failover
 */
public record Failover(Op step) implements Op {
    /** The maximum number of connections in a program of one thread. */
    private static final int MAX = 6;

    @Override
    public void on(Real real, Model model) throws SQLException {
        FaultyStage stage = (FaultyStage) real.stage;
        stage.failOver();
        boolean isDone = false;
        for (int tries = 0; !isDone; tries++) {
            if (tries == MAX) {
                throw new Difference(step + " still comes upon connections that take no writes");
            }
            stage.faults().arm(0, Fault.BEFORE);
            isDone = new Guarded(step, real, model).run();
        }
        stage.allNew();
    }

    static void makeReadOnly(Connection real) throws SQLException {
        try (Statement statement = real.createStatement()) {
            statement.execute(
                    switch (real.getMetaData().getDatabaseProductName()) {
                        case "PostgreSQL" -> "SET default_transaction_read_only = on";
                        case "SQLite" -> "PRAGMA query_only = 1";
                        default -> "SET SESSION TRANSACTION READ ONLY";
                    });
        }
    }

    @Override
    public String toString() {
        return "new Failover(" + step + ")";
    }
}
