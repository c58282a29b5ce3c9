package dev.pawl.specification.faults;

/** Marks the point where a process dies: no code of it runs after this. */
final class Died extends Error {
    private static final long serialVersionUID = 1;

    Died() {
        super("the process has died", null, false, false);
    }
}
