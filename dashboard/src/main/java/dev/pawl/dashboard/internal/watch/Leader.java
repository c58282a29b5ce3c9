package dev.pawl.dashboard.internal.watch;

import java.util.UUID;

/** Names by which those who share duties are told apart. */
public final class Owner {
    private Owner() {}

    /** {@return a new one; random, because two containers may have the same host and number of process} */
    public static String next() {
        return ProcessHandle.current().pid() + "/" + UUID.randomUUID();
    }
}
