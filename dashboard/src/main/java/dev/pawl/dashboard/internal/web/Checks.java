package dev.pawl.dashboard.internal.web;

import dev.pawl.DatabaseException;
import dev.pawl.dashboard.Response;

/** For probes: whether the process answers, and whether its database does. They tell nothing else, so anybody may ask. */
public final class Checks {
    private final Runnable look;

    /** @param look at the database; throws if that fails */
    public Checks(Runnable look) {
        this.look = look;
    }

    Response answer(String path) {
        if (path.equals("/live")) {
            return Response.text(200, "text/plain", "live\n");
        }
        try {
            look.run();
            return Response.text(200, "text/plain", "ready\n");
        } catch (DatabaseException e) {
            return Response.text(503, "text/plain", "the database does not answer\n");
        }
    }
}
