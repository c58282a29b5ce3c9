package dev.pawl.servers;

/**
 * Capabilities that some databases lack. A test that needs a capability is skipped on a database without it, and the constant's text is
 * shown as the reason.
 */
public enum Capability {
    /** Several transactions can write at the same time; each locks rows, and other transactions can wait for these or skip them. */
    ROW_LOCKS("it has one writer, which locks everything"),
    /** Sessions exist, and other sessions can list and end them. */
    SESSIONS("it runs in the process that uses it"),
    /** REPEATABLE READ refuses to change a row that another transaction has changed since it was read. */
    STALE_WRITE_FAILS("an update may overwrite a row that has changed since it was read"),
    /** The error about a missing table has its own code. */
    MISSING_TABLE_IS_NAMED("a missing table is an error like any other"),
    /** A writing statement can return rows, so that a claim is one statement. */
    WRITE_RETURNS_ROWS("what was written must be read back");

    private final String without;

    Capability(String without) {
        this.without = without;
    }

    /** {@return the behaviour of a database without it} */
    public String without() {
        return without;
    }
}
