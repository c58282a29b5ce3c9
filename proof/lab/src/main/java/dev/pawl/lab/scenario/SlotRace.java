package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.api.Slot;
import dev.pawl.lab.database.Scratch;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Overlapping jobs take the next slot of a series: by the locker of source 004, and by Pawl's slots. */
final class SlotRace implements Scenario {
    private static final int JOBS = 1_000;
    private static final int[] WORKERS = {1, 2, 5, 10};
    private static final long SEED = 4;

    @Override
    public String name() {
        return "slot-race";
    }

    @Override
    public String description() {
        return "Concurrent jobs reserve a unique slot each, and slots only go forward (004). Here 1,000 jobs run on"
                + " several workers and end in random order; every call is atomic, no slot expires, and no process"
                + " dies. Twice: jobs whose slot another job had already used.";
    }

    @Override
    public Set<String> products() {
        return Set.of("sqlite", "postgresql", "mariadb", "mysql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int jobs = Scenario.scaled(JOBS, scale, 100);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(2);
                JobQueue queue = JobQueue.open(pool)) {
            for (int workers : WORKERS) {
                SlotLocker locker = new SlotLocker();
                int theirs = twice(jobs, workers, new Series<Long>() {
                    @Override
                    public Long reserve() {
                        return locker.reserve();
                    }

                    @Override
                    public long use(Long slot) {
                        locker.release(slot);
                        return slot;
                    }
                });
                SlotSeries series = queue.slots().series("race-" + workers);
                int ours = twice(jobs, workers, new Series<Slot>() {
                    @Override
                    public Slot reserve() {
                        return series.reserve();
                    }

                    @Override
                    public long use(Slot slot) throws Exception {
                        try (Connection connection = pool.getConnection()) {
                            connection.setAutoCommit(false);
                            slot.use(connection);
                            connection.commit();
                            connection.setAutoCommit(true);
                        }
                        return slot.number();
                    }
                });
                rows.add(List.of(Integer.toString(workers), Integer.toString(theirs), Integer.toString(ours)));
            }
        }
        return new Result(List.of("workers", "twice, by the locker", "twice, by Pawl"), rows);
    }

    private interface Series<S> {
        S reserve() throws Exception;

        long use(S slot) throws Exception;
    }

    private static <S> int twice(int jobs, int workers, Series<S> series) throws Exception {
        Random random = new Random(SEED);
        List<S> running = new ArrayList<>();
        Set<Long> used = new HashSet<>();
        int twice = 0;
        for (int job = 0; job < jobs || !running.isEmpty(); ) {
            if (job < jobs && running.size() < workers) {
                running.add(series.reserve());
                job++;
                continue;
            }
            if (!used.add(series.use(running.remove(random.nextInt(running.size()))))) {
                twice++;
            }
        }
        return twice;
    }
}
