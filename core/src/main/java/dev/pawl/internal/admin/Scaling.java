package dev.pawl.internal.admin;

import dev.pawl.admin.WorkerInfo;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.jdbc.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Changes how many jobs workers run at once, within the range that their programs allow. */
final class Scaling {
    private static final int MAX = 10_000;

    private final Database database;
    private final WorkerRegistry workers;

    Scaling(Database database, WorkerRegistry workers) {
        this.database = database;
        this.workers = workers;
    }

    /** {@return false if there is no such worker, or it has stopped} */
    boolean one(long workerId, int concurrency) throws SQLException {
        check(concurrency);
        if (workers.scale(workerId, concurrency)) {
            return true;
        }
        for (WorkerInfo worker : list()) {
            if (worker.id() == workerId && worker.stoppedAt() == null) {
                throw new IllegalArgumentException(refusal(worker, concurrency));
            }
        }
        return false;
    }

    private static String refusal(WorkerInfo worker, int concurrency) {
        return "worker " + worker.id() + " cannot run " + concurrency + " jobs at once: its program allows "
                + worker.maxConcurrency() + " (WorkerBuilder.maxConcurrency, pawl work --max-concurrency)";
    }

    /** {@return how many jobs at once each of the live workers of the queue will run} */
    SortedMap<Long, Integer> all(String queue, int concurrency) throws SQLException {
        check(concurrency);
        SortedMap<Long, Integer> scaled = new TreeMap<>();
        for (WorkerInfo worker : list()) {
            if (worker.alive() && worker.queues().contains(queue)) {
                int within = Math.min(concurrency, worker.maxConcurrency());
                if (workers.scale(worker.id(), within)) { // it may have stopped just now
                    scaled.put(worker.id(), within);
                }
            }
        }
        return scaled;
    }

    private List<WorkerInfo> list() throws SQLException {
        return database.autocommit(workers::list);
    }

    private static void check(int concurrency) {
        if (concurrency < 1 || concurrency > MAX) {
            throw new IllegalArgumentException("concurrency " + concurrency + " is not valid: use 1 to " + MAX
                    + (concurrency == 0 ? "; to stop a worker from claiming, tell it to be quiet" : ""));
        }
    }
}
