package dev.pawl.specification.faults;

/** How a call to the database fails. */
public enum Fault {
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

    boolean isAfter() {
        return this == AFTER || this == DEATH_AFTER;
    }

    boolean isRefusal() {
        return this == CONFLICT || this == FULL;
    }

    boolean isDeath() {
        return this == DEATH_BEFORE || this == DEATH_AFTER;
    }
}
