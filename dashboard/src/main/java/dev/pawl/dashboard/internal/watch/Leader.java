package dev.pawl.dashboard.internal.watch;

import java.util.UUID;

/** Names of candidates for a leadership. */
public final class Leader {
    private Leader() {}

    /** {@return a new random name, because two containers may share host name and process id} */
    public static String next() {
        return ProcessHandle.current().pid() + "/" + UUID.randomUUID();
    }
}
