package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The page about workers. */
public final class WorkerPages {
    private static final int MAX_RUNS = 200;
    private static final int MAX_WORKERS = 500;

    private final Snapshots snapshots;
    private final Templates templates;

    private WorkerPages(Snapshots snapshots, Templates templates) {
        this.snapshots = snapshots;
        this.templates = templates;
    }

    static void add(Routes routes, Snapshots snapshots, Templates templates) {
        routes.get("/workers", new WorkerPages(snapshots, templates)::list);
    }

    /**
     * A worker as a row of a table.
     *
     * @param info its state
     * @param runs some of its jobs: those among the 200 newest running ones
     */
    public record Row(WorkerInfo info, List<Job> runs) {
        /** {@return the word for what it does: works, quiet, stops, stopped or silent} */
        public String state() {
            if (info.stoppedAt() != null) {
                return "stopped";
            }
            return !info.alive()
                    ? "silent"
                    : switch (info.command()) {
                        case WORK -> "works";
                        case QUIET -> "quiet";
                        case STOP -> "stops";
                    };
        }
    }

    private Response list(Call call) {
        return templates.page(
                call,
                "workers",
                Map.of("workers", rows(snapshots.workers(), snapshots), "remote", snapshots.remoteWorkers()));
    }

    /** {@return a row for each of these workers, as far as there is room on a page} */
    static List<Row> rows(List<WorkerInfo> workers, Snapshots snapshots) {
        boolean runs = workers.stream().anyMatch(worker -> worker.running() > 0);
        List<Job> running = runs
                ? snapshots
                        .lists()
                        .of(JobFilter.ALL.state(JobState.RUNNING).limit(MAX_RUNS))
                        .jobs()
                : List.of();
        return workers.stream()
                .limit(MAX_WORKERS)
                .map(worker -> new Row(
                        worker,
                        running.stream()
                                .filter(job -> Objects.equals(job.leasedBy(), worker.id()))
                                .toList()))
                .toList();
    }
}
