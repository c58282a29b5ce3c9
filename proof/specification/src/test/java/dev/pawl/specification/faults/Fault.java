package dev.pawl.specification.faults;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How a call to any database may fail. */
public enum Fault implements Answer {
    /** The connection breaks, and the server does not receive the call. */
    BEFORE,
    /** The connection breaks, and only the reply is lost. */
    AFTER,
    /** The server refuses it because of a conflict with another transaction. */
    CONFLICT,
    /** The server has no space. */
    FULL,
    /** The process dies before the call. */
    DEATH_BEFORE,
    /** The process dies after it. */
    DEATH_AFTER;

    @Override
    public boolean isFor(String call, boolean commits) {
        return !isRefusal() || call.startsWith("execute") || call.equals("commit");
    }

    @Override
    public boolean isAfter(boolean commits) {
        return this == AFTER || this == DEATH_AFTER;
    }

    private boolean isRefusal() {
        return this == CONFLICT || this == FULL;
    }

    @Override
    public int times() {
        return 1;
    }

    @Override
    public boolean isDeath() {
        return this == DEATH_BEFORE || this == DEATH_AFTER;
    }

    @Override
    public boolean isTransient() {
        return true;
    }

    @Override
    public @Nullable SQLException refusal(Connection real, String call) throws SQLException {
        return switch (this) {
            case CONFLICT -> Refusals.conflict(real);
            case FULL -> Refusals.full(real);
            default -> null;
        };
    }
}
