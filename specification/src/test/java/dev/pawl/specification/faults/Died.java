package dev.pawl.specification.faults;

/** Where a process dies: nothing in it goes on after this. */
final class Died extends Error {
    private static final long serialVersionUID = 1;

    Died() {
        super("the process has died", null, false, false);
    }
}
