package dev.pawl.dashboard.internal.page;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The page about workers. */
public final class WorkerPages {
    private static final int MOST_RUNS = 200;
    private static final int MOST_WORKERS = 500;

    private final Looks looks;
    private final Templates templates;

    private WorkerPages(Looks looks, Templates templates) {
        this.looks = looks;
        this.templates = templates;
    }

    static void add(Routes routes, Looks looks, Templates templates) {
        routes.get("/workers", new WorkerPages(looks, templates)::list);
    }

    /**
     * A worker as a row of a table.
     *
     * @param info how it stands
     * @param runs some of the jobs that it holds: those among the newest 200 that run
     */
    public record Row(WorkerInfo info, List<Job> runs) {
        /** {@return whether it still works, rests or stops} */
        public String state() {
            if (info.stoppedAt() != null) {
                return "stopped";
            }
            return !info.alive()
                    ? "silent"
                    : switch (info.wish()) {
                        case WORK -> "works";
                        case QUIET -> "quiet";
                        case STOP -> "stops";
                    };
        }
    }

    private Response list(Call call) {
        boolean runs = looks.workers().stream().anyMatch(worker -> worker.running() > 0);
        List<Job> running = runs
                ? looks.lists()
                        .of(JobFilter.ALL.state(JobState.RUNNING).limit(MOST_RUNS))
                        .jobs()
                : List.of();
        List<Row> rows = looks.workers().stream()
                .limit(MOST_WORKERS)
                .map(worker -> new Row(
                        worker,
                        running.stream()
                                .filter(job -> Objects.equals(job.leasedBy(), worker.id()))
                                .toList()))
                .toList();
        return templates.page(call, "workers", Map.of("workers", rows, "remote", looks.remoteWorkers()));
    }
}
