package dev.pawl.internal.admin;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.QueueAdmin;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Strategy;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.QueuePause;
import dev.pawl.internal.place.JobPlace;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.QueueAndKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Queues: their counts and settings. */
final class SqlQueueAdmin implements QueueAdmin {
    private final AdminCalls calls;
    private final Queues queues;
    private final WorkerRegistry workers;
    private final JobStore store;

    /**
     * @param calls reach the database
     * @param store knows which strategies the database supports
     */
    SqlQueueAdmin(AdminCalls calls, JobStore store) {
        Database database = calls.database();
        this.calls = calls;
        this.queues = new Queues(database.dialect());
        this.workers = new WorkerRegistry(database);
        this.store = store;
    }

    @Override
    public List<QueueStats> list(int limit) {
        int upTo = AdminCalls.positive("limit", limit);
        return calls.read(
                "cannot count the queues",
                connection -> upTo == Admin.UNLIMITED ? queues.stats(connection) : queues.stats(connection, upTo));
    }

    @Override
    public List<FinishedJobs> finished(int limit) {
        int upTo = AdminCalls.positive("limit", limit);
        return calls.read(
                "cannot count the finished jobs",
                connection ->
                        upTo == Admin.UNLIMITED ? queues.finished(connection) : queues.finished(connection, upTo));
    }

    @Override
    public List<UnattendedJobs> unattended() {
        return calls.run("cannot look for jobs that no worker handles", () -> {
            List<UnattendedJobs> found = new ArrayList<>();
            for (QueueAndKind each : workers.uncovered()) {
                long jobs = calls.database()
                        .autocommit(connection -> queues.waiting(connection, each.queue(), each.kind()));
                found.add(new UnattendedJobs(each.queue(), each.kind(), jobs));
            }
            return found;
        });
    }

    @Override
    public void pause(String queue) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        pause("cannot pause queue " + queue, queue);
    }

    private void pause(String failure, String queue) {
        calls.run(failure, () -> {
            queues.create(calls.database(), queue);
            return calls.database().transaction(connection -> {
                queues.pause(connection, queue);
                return true;
            });
        });
    }

    @Override
    public boolean resume(String queue) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        return calls.change(
                "cannot resume queue " + queue,
                () -> calls.database().transaction(connection -> queues.resume(connection, queue)));
    }

    @Override
    public void pauseAll() {
        pause("cannot pause all queues", QueuePause.ALL);
    }

    @Override
    public boolean resumeAll() {
        return calls.change(
                "cannot resume all queues",
                () -> calls.database().transaction(connection -> queues.resume(connection, QueuePause.ALL)));
    }

    @Override
    public Optional<Instant> allPausedSince() {
        return calls.read("cannot read whether all queues are paused", queues::allPausedSince);
    }

    @Override
    public SortedMap<String, Instant> pausedSince() {
        return calls.read("cannot read which queues are paused", queues::pausedSince);
    }

    @Override
    public void setStrategy(String queue, Strategy strategy) {
        EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        store.strategy(strategy); // refuses what this database does not support
        String text = strategy instanceof Strategy.Auto ? null : strategy.toString();
        calls.run("cannot set the strategy of queue " + queue, () -> {
            queues.create(calls.database(), queue);
            return calls.database().transaction(connection -> {
                queues.setStrategy(connection, queue, text);
                for (JobPlace place : JobPlaces.installed()) {
                    place.strategySet(connection, calls.database().dialect(), queue, strategy);
                }
                return true;
            });
        });
    }
}
