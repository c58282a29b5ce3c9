package dev.pawl.servers;

/** What not every database can do. A test that needs it is skipped elsewhere, with this reason. */
public enum Capability {
    /** Several transactions can write at the same time; each locks rows, which the others can wait for or skip. */
    ROW_LOCKS("it has one writer, which locks everything"),
    /** There are sessions, which others can see and end. */
    SESSIONS("it runs in the process that uses it"),
    /** REPEATABLE READ refuses to change a row that somebody has changed since it was read. */
    STALE_WRITE_FAILS("a transaction may change what it has read long ago"),
    /** The error about a table that does not exist has a code of its own. */
    MISSING_TABLE_IS_NAMED("a missing table is an error like any other"),
    /** A statement that writes returns rows at once, so that a claim is one statement. */
    WRITE_RETURNS_ROWS("what was written must be read back");

    private final String without;

    Capability(String without) {
        this.without = without;
    }

    /** {@return what is true of a database without it} */
    public String without() {
        return without;
    }
}
