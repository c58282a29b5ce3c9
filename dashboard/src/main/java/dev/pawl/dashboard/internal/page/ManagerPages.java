package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.look.Given;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page about managers: those that give jobs to workers without a database. */
public final class ManagerPages {
    private final Looks looks;
    private final Templates templates;

    private ManagerPages(Looks looks, Templates templates) {
        this.looks = looks;
        this.templates = templates;
    }

    static void add(Routes routes, Looks looks, Templates templates) {
        routes.get("/managers", new ManagerPages(looks, templates)::list);
    }

    /**
     * A manager.
     *
     * @param name as its row says
     * @param rows its rows as a worker that are alive, to be paused by; several if they have the same name
     * @param workers how it sees its workers
     */
    public record Manager(String name, List<WorkerPages.Row> rows, List<RemoteWorkerInfo> workers) {}

    private Response list(Call call) {
        Map<String, List<RemoteWorkerInfo>> byName = new TreeMap<>();
        for (RemoteWorkerInfo worker : looks.remoteWorkers()) {
            byName.computeIfAbsent(worker.manager(), name -> new ArrayList<>()).add(worker);
        }
        List<Manager> managers = new ArrayList<>();
        byName.forEach((name, workers) -> managers.add(new Manager(name, rows(name), workers)));
        List<Given> given = managers.isEmpty() ? List.of() : looks.given();
        return templates.page(call, "managers", Map.of("managers", managers, "given", given));
    }

    private List<WorkerPages.Row> rows(String name) {
        return looks.workers().stream()
                .filter(WorkerInfo::alive)
                .filter(worker -> worker.name().equals(name))
                .map(worker -> new WorkerPages.Row(worker, List.of()))
                .toList();
    }
}
