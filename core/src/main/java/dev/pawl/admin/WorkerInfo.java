package dev.pawl.admin;

import dev.pawl.api.WorkerCommand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker, as its heartbeat row shows it; a process may have several.
 *
 * @param id the id, as in {@link dev.pawl.api.Job#leasedBy}
 * @param name as configured; host and process by default
 * @param queues the queues it claims from
 * @param kinds the kinds that it handles
 * @param concurrency how many jobs it runs at once
 * @param startedAt when it registered
 * @param heartbeatAt its last heartbeat; if it is suspended, when it will wake
 * @param stoppedAt when it stopped cleanly; null if it did not
 * @param alive whether it has not stopped, and its last heartbeat is less than a minute old
 * @param running the number of jobs that it holds now
 * @param command the last command to it
 * @param maxConcurrency the concurrency to which it may be scaled
 * @param wantedConcurrency the concurrency that was requested and is not applied yet; null if there is none
 * @param suspended whether it is idle and sends no statements, see {@link dev.pawl.WorkerBuilder#suspendWhenIdle(java.time.Duration)}; a
 *     worker that was killed while suspended counts as suspended until the time at which it would have woken, and as alive until a minute
 *     after that time
 */
public record WorkerInfo(
        long id,
        String name,
        List<String> queues,
        List<String> kinds,
        int concurrency,
        Instant startedAt,
        Instant heartbeatAt,
        @Nullable Instant stoppedAt,
        boolean alive,
        long running,
        WorkerCommand command,
        int maxConcurrency,
        @Nullable Integer wantedConcurrency,
        boolean suspended) {}
