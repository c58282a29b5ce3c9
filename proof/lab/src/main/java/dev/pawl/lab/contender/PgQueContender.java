package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * PgQue: a log in plain SQL, whose consumer takes all events between two ticks and acknowledges them together. Its SQL file is not part of
 * the lab; the environment variable {@value #FILE} has the file's path.
 */
final class PgQueContender implements Contender {
    /** The environment variable with the path of PgQue's {@code sql/pgque.sql}. */
    static final String FILE = "PAWL_LAB_PGQUE_SQL";

    private static final int AT_ONCE = 1000;
    /** The default of PgQue: ten ticks a second. */
    private static final long TICK_MILLIS = 100;

    private static final long IDLE_MILLIS = 5;

    private final Setup setup;
    private final HikariDataSource pool;
    private final AtomicLong unfinished = new AtomicLong();
    private final Threads ticker;

    PgQueContender(Setup setup) throws SQLException, IOException {
        if (!setup.scratch().ours()) {
            throw new IllegalStateException(
                    "pgque is measured on the lab's own PostgreSQL only: its file creates roles,"
                            + " which belong to the whole server");
        }
        this.setup = setup;
        this.pool = setup.scratch().pool(4);
        execute(Files.readString(Path.of(String.valueOf(System.getenv(FILE)))));
        execute("SELECT pgque.create_queue('lab')");
        execute("SELECT pgque.subscribe('lab', 'worker')");
        ticker = new Threads(1, this::tick);
    }

    /** {@return why PgQue cannot be measured on the database; empty if it can} */
    static Optional<String> refusal(String product) {
        if (!product.equals("postgresql")) {
            return Optional.of("pgque is made for PostgreSQL");
        }
        return System.getenv(FILE) == null
                ? Optional.of("pgque is not part of the lab: set " + FILE + " to the path of its sql/pgque.sql")
                : Optional.empty();
    }

    @Override
    public String settings() {
        return "PgQue, send_batch of " + AT_ONCE + ", ticks every " + TICK_MILLIS
                + " ms, one consumer that runs and acknowledges whole batches; no leases or history of single jobs";
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void tick(AtomicBoolean stop) throws Exception {
        while (!stop.get()) {
            execute("SELECT pgque.ticker()");
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement send =
                        connection.prepareStatement("SELECT cardinality(pgque.send_batch('lab', 'work', ?::text[]))")) {
            for (int next = from; next < to; next += AT_ONCE) {
                int jobs = Math.min(AT_ONCE, to - next);
                String[] payloads = new String[jobs];
                for (int i = 0; i < jobs; i++) {
                    payloads[i] = setup.payload(next + i);
                }
                send.setArray(1, connection.createArrayOf("text", payloads));
                send.execute();
                unfinished.addAndGet(jobs);
            }
        }
    }

    @Override
    public Running start(Handler handler) {
        Threads running = new Threads(1, stop -> work(handler, stop));
        return running::close;
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Connection connection = pool.getConnection();
                PreparedStatement receive = connection.prepareStatement(
                        "SELECT batch_id, payload FROM pgque.receive('lab', 'worker', 2000000000)");
                PreparedStatement acknowledge = connection.prepareStatement("SELECT pgque.ack(?)")) {
            while (!stop.get()) {
                long batch = 0;
                List<Integer> jobs = new ArrayList<>();
                try (ResultSet rows = receive.executeQuery()) {
                    while (rows.next()) {
                        batch = rows.getLong(1);
                        jobs.add(Setup.number(rows.getString(2)));
                    }
                }
                if (jobs.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                for (int job : jobs) {
                    handler.run(job);
                }
                acknowledge.setLong(1, batch);
                acknowledge.execute();
                jobs.forEach(handler::done);
                unfinished.addAndGet(-jobs.size());
            }
        }
    }

    /** Counts the events that no acknowledged batch contains; PgQue's own count is an estimate. */
    @Override
    public long unfinished() {
        return unfinished.get();
    }

    @Override
    public void close() {
        ticker.close();
        pool.close();
    }
}
