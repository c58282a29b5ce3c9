package dev.pawl.specification.faults;

import dev.pawl.specification.Difference;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Another server takes over: to connections that are open, the old one answers, and takes no writes. A client that tries again has to come
 * to the new one before long.
 *
 * @param step that comes upon it
 */
public record Failover(Op step) implements Op {
    /** There are no more connections than this in a program of one thread. */
    private static final int MOST = 6;

    @Override
    public void on(Real real, Model model) throws SQLException {
        FaultyStage stage = (FaultyStage) real.stage;
        stage.failOver();
        boolean isDone = false;
        for (int tries = 0; !isDone; tries++) {
            if (tries == MOST) {
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
