package dev.pawl.internal.engine;

import dev.pawl.internal.store.QueueAndKind;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once that waiting jobs are handled by no live worker, because nothing else would report them. Confined to one thread. */
final class Unattended {
    private final WorkerRegistration registration;
    private final Logger log;
    private final Set<QueueAndKind> reported = new HashSet<>();

    Unattended(WorkerRegistration registration) {
        this(registration, LoggerFactory.getLogger("dev.pawl.worker"));
    }

    Unattended(WorkerRegistration registration, Logger log) {
        this.registration = registration;
        this.log = log;
    }

    void check() throws SQLException {
        List<QueueAndKind> now = registration.uncovered();
        reported.retainAll(now);
        for (QueueAndKind each : now) {
            if (reported.add(each)) {
                log.warn(
                        "queue {} has jobs of kind {} that no live worker handles: start a worker with this queue and a"
                                + " handler for this kind",
                        each.queue(),
                        each.kind());
            }
        }
    }
}
