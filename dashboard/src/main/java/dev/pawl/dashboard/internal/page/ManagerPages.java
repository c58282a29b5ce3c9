package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.snapshot.AssignedJob;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page about managers, which assign jobs to workers without a database. */
public final class ManagerPages {
    private final Snapshots snapshots;
    private final Templates templates;

    private ManagerPages(Snapshots snapshots, Templates templates) {
        this.snapshots = snapshots;
        this.templates = templates;
    }

    static void add(Routes routes, Snapshots snapshots, Templates templates) {
        routes.get("/managers", new ManagerPages(snapshots, templates)::list);
    }

    /**
     * The managers of one name.
     *
     * @param name of these managers
     * @param rows the live ones, to pause them
     * @param workers the state of their remote workers, as the managers reported it
     */
    public record Manager(String name, List<WorkerPages.Row> rows, List<RemoteWorkerInfo> workers) {}

    private Response list(Call call) {
        Map<String, List<RemoteWorkerInfo>> byName = new TreeMap<>();
        for (RemoteWorkerInfo worker : snapshots.remoteWorkers()) {
            byName.computeIfAbsent(worker.manager(), name -> new ArrayList<>()).add(worker);
        }
        List<Manager> managers = new ArrayList<>();
        byName.forEach((name, workers) -> managers.add(new Manager(name, rows(name), workers)));
        List<AssignedJob> assignments = managers.isEmpty() ? List.of() : snapshots.assignments();
        return templates.page(call, "managers", Map.of("managers", managers, "assignments", assignments));
    }

    private List<WorkerPages.Row> rows(String name) {
        return snapshots.workers().stream()
                .filter(WorkerInfo::alive)
                .filter(worker -> worker.name().equals(name))
                .map(worker -> new WorkerPages.Row(worker, List.of()))
                .toList();
    }
}
