package dev.pawl.manager;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.Outcome;
import dev.pawl.servers.TestDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Map;

/** A manager in a process that its test kills. */
public final class ManagerProcess {
    private ManagerProcess() {}

    /**
     * @param arguments JDBC URL, secret, log file of its own threads, URLs of workers
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (RunsLog log = new RunsLog(arguments[2]);
                HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            ManagerBuilder builder = Manager.on(queue)
                    .kind(
                            "work",
                            KindOptions.DEFAULTS
                                    .maxRunTime(Duration.ofSeconds(20))
                                    .buffer(Duration.ofSeconds(1)))
                    .secret(new Secret(arguments[1]))
                    .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, null)
                    .heartbeat(Duration.ofSeconds(1))
                    .answerTimeout(Duration.ofSeconds(10))
                    .lease(Duration.ofSeconds(4))
                    .concurrency(20);
            builder.channel(new LocalChannel("local", 2, Map.of("work", (payload, run) -> {
                log.around(run, () -> {
                    RunsLog.work(payload);
                    run.transaction(connection -> {
                        try (PreparedStatement insert =
                                connection.prepareStatement("INSERT INTO effect (job_id) VALUES (?)")) {
                            insert.setLong(1, run.job().id());
                            insert.executeUpdate();
                        }
                    });
                });
                return Outcome.completed();
            })));
            for (int i = 3; i < arguments.length; i++) {
                builder.worker(URI.create(arguments[i]));
            }
            Manager manager = builder.start();
            Thread onStop = new Thread(manager::close);
            Runtime.getRuntime().addShutdownHook(onStop); // stops as a rolling deploy does
            System.out.println("manages on port " + manager.port());
            Thread.currentThread().join();
        }
    }
}
