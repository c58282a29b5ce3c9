package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.SharedConcurrency;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.limit.Limit;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.shard.Fleet;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** docs/guides/shards.md. */
class ShardsTest {
    private static final JobType<String> SEND =
            JobType.of("mail.send", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));
    private static final JobType<String> REPORT = JobType.of("report.send", String.class);

    private static final class Mailer {
        final Set<String> sent = ConcurrentHashMap.newKeySet();

        void send(String mail, JobRun run) {
            sent.add(mail + " on attempt " + run.job().attempt());
        }
    }

    private static final class Reports {
        void write(String report, JobRun run) {
            run.log(report);
        }
    }

    private final Mailer mailer = new Mailer();
    private final Reports reports = new Reports();

    private static DataSource file(Path folder, String name) {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + folder.resolve(name));
        return file;
    }

    @Test
    void aJobGoesToTheShardOfItsKey(@TempDir Path folder) {
        DataSource poolOfA = file(folder, "a.db");
        DataSource poolOfB = file(folder, "b.db");
        String mail = "hello";
        ShardedQueue queue =
                ShardedQueue.of(Shard.of("a", JobQueue.builder(poolOfA)), Shard.of("b", JobQueue.builder(poolOfB)));

        queue.enqueue(SEND, mail, SEND.defaults().key("customer-17")); // on the shard of that key

        Fleet fleet = queue.start(
                40, (shard, worker) -> worker.handle(SEND, mailer::send).queues("mail"));
        try (queue;
                fleet) {
            await().until(() -> mailer.sent.contains("hello on attempt 1"));
            queue.setLimit(Limit.kind("mail.send").atOnce(10).rate(600, Duration.ofMinutes(1)));
            assertThat(queue.shard("a").queue().limits().list()).hasSize(1);
        }
    }

    @Test
    void aTransactionChoosesTheShard(@TempDir Path folder) throws Exception {
        DataSource pool = file(folder, "a.db");
        String mail = "hello";
        try (ShardedQueue queue = ShardedQueue.of(
                        Shard.of("a", JobQueue.builder(pool)), Shard.of("b", JobQueue.builder(file(folder, "b.db"))));
                Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Shard shard = queue.shard("a");
            shard.within(connection).enqueue(SEND, mail);
            connection.commit();
            assertThat(shard.queue().admin().jobs().list(JobFilter.ALL)).hasSize(1);
        }
    }

    @Test
    void aScheduleIsDeclaredForOneShard(@TempDir Path folder) {
        ShardedQueue queue = ShardedQueue.of(
                Shard.of("a", JobQueue.builder(file(folder, "a.db"))),
                Shard.of("b", JobQueue.builder(file(folder, "b.db"))));
        Fleet fleet = queue.start(40, (shard, worker) -> {
            worker.handle(REPORT, reports::write);
            if (shard.name().equals("a")) {
                worker.schedule(Schedule.of("nightly", REPORT, "sales", Recurrence.cron("0 3 * * *")));
            }
        });
        try (queue;
                fleet) {
            await().until(() ->
                    queue.shard("a").queue().schedules().find("nightly").isPresent());
            assertThat(queue.shard("b").queue().schedules().list()).isEmpty();
        }
    }

    @Test
    void workersMayShareTheirConcurrency(@TempDir Path folder) {
        try (JobQueue north = JobQueue.open(file(folder, "north.db"));
                JobQueue south = JobQueue.open(file(folder, "south.db"))) {
            SharedConcurrency forty = SharedConcurrency.of(40);
            Worker inNorth = Worker.on(north)
                    .handle(SEND, mailer::send)
                    .concurrency(forty)
                    .start();
            Worker inSouth = Worker.on(south)
                    .handle(SEND, mailer::send)
                    .concurrency(forty)
                    .start();
            try (inNorth;
                    inSouth) {
                assertThat(inNorth.isAlive() && inSouth.isAlive()).isTrue();
            }
        }
    }

    /** Compiled but not run: SQLite has no schemas. */
    Fleet tenants(DataSource pool) {
        Fleet fleet = Fleet.start(
                40,
                List.of(
                        Shard.of("north", JobQueue.builder(pool).schema("north")),
                        Shard.of("south", JobQueue.builder(pool).schema("south"))),
                (tenant, worker) -> worker.handle(SEND, mailer::send));
        return fleet;
    }
}
