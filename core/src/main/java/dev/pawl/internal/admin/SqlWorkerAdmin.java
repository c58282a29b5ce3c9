package dev.pawl.internal.admin;

import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.WorkerAdmin;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.remote.RemoteWorkers;
import java.util.List;
import java.util.SortedMap;

/** Workers, as they are registered. */
final class SqlWorkerAdmin implements WorkerAdmin {
    private final AdminCalls calls;
    private final WorkerRegistry workers;

    /** @param calls reach the database */
    SqlWorkerAdmin(AdminCalls calls) {
        this.calls = calls;
        this.workers = new WorkerRegistry(calls.database());
    }

    @Override
    public List<WorkerInfo> list() {
        return calls.read("cannot list the workers", workers::list);
    }

    @Override
    public boolean command(long workerId, WorkerCommand command) {
        return calls.change("cannot command worker " + workerId, () -> workers.command(workerId, command));
    }

    @Override
    public boolean scale(long workerId, int concurrency) {
        return calls.change(
                "cannot scale worker " + workerId,
                () -> new Scaling(calls.database(), workers).one(workerId, concurrency));
    }

    @Override
    public SortedMap<Long, Integer> scaleQueue(String queue, int concurrency) {
        return calls.change(
                "cannot scale the workers of queue " + queue,
                () -> new Scaling(calls.database(), workers).all(queue, concurrency));
    }

    @Override
    public List<RemoteWorkerInfo> remote() {
        return calls.read("cannot list the remote workers", new RemoteWorkers(calls.database())::list);
    }
}
