package dev.pawl.specification.faults;

import dev.pawl.specification.faults.EngineError.Trait;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * An engine's error.
 *
 * @param error the error
 * @param tookEffect at a commit whose result is unknown: whether it took effect
 * @param times how many calls in a row it answers
 */
public record EngineAnswer(EngineError error, boolean tookEffect, int times) implements Answer {
    @Override
    public boolean isFor(String call, boolean commits) {
        if (commits) {
            return error.has(Trait.ONLY_AT_COMMIT) || error.has(Trait.AT_COMMIT) || call.startsWith("execute");
        }
        return call.startsWith("execute") && !error.has(Trait.ONLY_AT_COMMIT);
    }

    @Override
    public boolean isAfter(boolean commits) {
        return commits && tookEffect && error.has(Trait.UNKNOWN);
    }

    @Override
    public boolean isDeath() {
        return false;
    }

    @Override
    public boolean isTransient() {
        return error.meaning.isTransient();
    }

    @Override
    public @Nullable SQLException refusal(Connection real, String call) throws SQLException {
        if (error.has(Trait.ENDS_SESSION)) {
            return null;
        }
        boolean goesOn = error.has(Trait.UNDOES_STATEMENT) && !call.equals("commit");
        if (!real.getAutoCommit() && !goesOn) {
            Refusals.breakOff(real, call.equals("commit"));
        }
        return error.exception();
    }

    @Override
    public SQLException lost(String call) {
        return error.exception();
    }

    @Override
    public String toString() {
        return "new EngineAnswer(EngineError." + error + ", " + tookEffect + ", " + times + ")";
    }
}
