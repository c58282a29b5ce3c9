package dev.pawl.admin;

import dev.pawl.WorkerWish;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker as its heartbeat row shows it; a process may have several.
 *
 * @param id the id that jobs carry as {@code leased_by}
 * @param name as configured; host and process by default
 * @param queues the queues it claims from
 * @param kinds the kinds that it handles; null if its program is too old to say
 * @param concurrency how many jobs it runs at once
 * @param startedAt when it registered
 * @param heartbeatAt when it last wrote its heartbeat; if it sleeps, until when
 * @param stoppedAt when it stopped cleanly; null if it did not
 * @param alive not stopped, and the last heartbeat is less than a minute old
 * @param running jobs that it holds now
 * @param wish what somebody wants it to do
 * @param maxConcurrency how many jobs at once it may be scaled to; null if its program is too old to be scaled
 * @param wantedConcurrency how many jobs at once somebody wants it to run, until it does; null for as many as now
 * @param asleep whether it has nothing to do and sends nothing, see {@link dev.pawl.WorkerBuilder#suspendWhenIdle(java.time.Duration)};
 *     one that was killed as it slept is alive and asleep until a minute after it would have woken
 */
public record WorkerInfo(
        long id,
        String name,
        List<String> queues,
        @Nullable List<String> kinds,
        int concurrency,
        Instant startedAt,
        Instant heartbeatAt,
        @Nullable Instant stoppedAt,
        boolean alive,
        long running,
        WorkerWish wish,
        @Nullable Integer maxConcurrency,
        @Nullable Integer wantedConcurrency,
        boolean asleep) {}
