package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.BatchInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.api.TypeToken;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import javax.sql.DataSource;

/** A worker process whose jobs fail, add jobs to their batches and open other batches, until the process is killed. */
public final class BatchWorker {
    /** The payload is the number of further generations of jobs. */
    static final JobType<Integer> WORK =
            new JobType<>("work", TypeToken.of(Integer.class), EnqueueOptions.DEFAULTS.maxAttempts(3));

    static final JobType<String> CALLBACK = JobType.of("callback", String.class);
    private static final int MAX = 10_000;

    private BatchWorker() {}

    /**
     * @param arguments JDBC URL
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .lease(Duration.ofSeconds(3))
                        .concurrency(6)
                        .retryPolicy(attempt -> Duration.ofMillis(50))
                        .handle(WORK, (generations, run) -> work(queue, pool, generations, run))
                        .handle(CALLBACK, (text, run) -> run.result(open(queue, run.job())))
                        .start()) {
            System.out.println("worker " + worker.id() + " works");
            Thread.currentThread().join();
        }
    }

    private static void work(JobQueue queue, DataSource pool, int generations, JobRun run) throws Exception {
        Random random = new Random(31 * run.job().id() + run.attempt());
        Batch own = queue.batch(run).orElseThrow();
        int what = random.nextInt(10);
        if (what == 0) {
            throw new IllegalStateException("on purpose");
        } else if (what == 1) {
            run.transaction(connection -> own.within(connection).enqueue(WORK, Math.max(0, generations - 1)));
        } else if (what == 2 && generations > 0) {
            own.enqueue(WORK, generations - 1);
            own.enqueue(WORK, generations - 1);
        } else if (what == 3 && generations > 0) {
            openWithin(own, pool, generations - 1);
        } else {
            Delay.work(random.nextInt(5));
        }
    }

    /** Uses one transaction, because a kill between several transactions would leave a batch that is never sealed. */
    private static void openWithin(Batch own, DataSource pool, int generations) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false); // the pool rolls back
            Batch inner =
                    own.batch("within " + own.id()).onDone(CALLBACK, "done").open(connection);
            inner.within(connection).enqueue(WORK, generations);
            inner.seal(connection);
            connection.commit();
        }
    }

    /** {@return how many jobs and inner batches of the callback's batch have not ended although the callback runs} */
    private static long open(JobQueue queue, Job callback) {
        long batch = Long.parseLong(callback.headers().get("pawl-callback-of"));
        return queue.batch(batch).jobs(0, MAX).stream()
                        .filter(job -> !job.state().isFinished())
                        .count()
                + queue.batch(batch).batches(MAX).stream()
                        .filter(inner -> !inner.isDone())
                        .map(BatchInfo::id)
                        .count();
    }
}
