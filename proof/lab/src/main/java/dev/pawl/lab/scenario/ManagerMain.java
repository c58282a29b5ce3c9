package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.lab.database.Scratch;
import dev.pawl.manager.KindOptions;
import dev.pawl.manager.Manager;
import dev.pawl.manager.Secret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/** The main program of a manager with one remote worker, which runs until it is killed or stopped. */
final class ManagerMain {
    /** The environment variable with the database's URL, because a password does not belong on a command line. */
    static final String URL = "PAWL_LAB_URL";

    static final String SECRET = "PAWL_LAB_SECRET";
    static final String READY = "manager ready";

    private static final int HEARTBEATS = 4;

    private ManagerMain() {}

    /**
     * @param arguments product, URL of the worker, length of leases in milliseconds
     */
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
        Scratch scratch = new Scratch(arguments[0], Objects.requireNonNull(System.getenv(URL), URL), false, () -> {});
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
        HikariDataSource pool = scratch.pool(8);
        JobQueue queue = JobQueue.builder(pool).migrate(false).open();
        Manager manager = Manager.on(queue)
                .kind(ManagerDeath.KIND, KindOptions.DEFAULTS.maxRunTime(Duration.ofSeconds(20)))
                .secret(new Secret(Objects.requireNonNull(System.getenv(SECRET), SECRET)))
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, null)
                .worker(URI.create(arguments[1]))
                .lease(lease)
                .heartbeat(lease.dividedBy(HEARTBEATS))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
        System.out.println(READY + " on port " + manager.port());
        Thread.currentThread().join();
    }
}
