package example;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import java.nio.file.Files;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Orders stored with jOOQ or Jdbi: the job commits with the order, and the handler's writes commit with the job's completion. */
public final class Orders {
    record Confirm(int order) {}

    static final JobType<Confirm> BY_JOOQ = JobType.of("order.confirm.jooq", Confirm.class);
    static final JobType<Confirm> BY_JDBI = JobType.of("order.confirm.jdbi", Confirm.class);

    private final DSLContext jooq;
    private final Jdbi jdbi;
    private final JobQueue queue;

    private Orders(HikariDataSource pool, JobQueue queue) {
        this.jooq = DSL.using(pool, SQLDialect.SQLITE);
        this.jdbi = Jdbi.create(pool);
        this.queue = queue;
    }

    void placeByJooq(int order) {
        jooq.transaction(transaction -> {
            transaction.dsl().execute("INSERT INTO orders VALUES (?, 0)", order);
            transaction.dsl().connection(connection -> queue.within(connection).enqueue(BY_JOOQ, new Confirm(order)));
            requirePaid(order > 0);
        });
    }

    void placeByJdbi(int order) {
        jdbi.useTransaction(transaction -> {
            transaction.execute("INSERT INTO orders VALUES (?, 0)", order);
            queue.within(transaction.getConnection()).enqueue(BY_JDBI, new Confirm(order));
            requirePaid(order > 0);
        });
    }

    private static void requirePaid(boolean paid) {
        if (!paid) {
            throw new IllegalArgumentException("not paid");
        }
    }

    Worker work() {
        return Worker.on(queue)
                .handle(BY_JOOQ, (confirm, run) -> run.transaction(connection -> DSL.using(connection, SQLDialect.SQLITE)
                        .execute("UPDATE orders SET confirmed = confirmed + 1 WHERE id = ?", confirm.order())))
                .handle(BY_JDBI, (confirm, run) -> run.transaction(connection -> Jdbi.open(() -> connection)
                        .execute("UPDATE orders SET confirmed = confirmed + 1 WHERE id = ?", confirm.order())))
                .start();
    }

    /** Runs the example, as the build does, and fails unless each committed order is confirmed exactly once. */
    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + Files.createTempDirectory("pawl-example-").resolve("orders.db")
                    + "?busy_timeout=30000&journal_mode=WAL");
            try (JobQueue queue = JobQueue.open(pool)) {
                Orders orders = new Orders(pool, queue);
                orders.jooq.execute("CREATE TABLE orders (id integer PRIMARY KEY, confirmed integer)");
                orders.placeByJooq(1);
                orders.placeByJdbi(2);
                requireRefusal(() -> orders.placeByJooq(-1));
                requireRefusal(() -> orders.placeByJdbi(-2));
                try (Worker worker = orders.work()) { // close() releases unstarted jobs and waits for handlers
                    worker.awaitIdle(Duration.ofSeconds(30));
                    String found = orders.jooq.fetch("SELECT id, confirmed FROM orders ORDER BY id").formatCSV(false);
                    if (!found.strip().equals("1,1\n2,1") || worker.stats().completed() != 2) {
                        throw new IllegalStateException(found + worker.stats());
                    }
                    System.out.println("confirmed by jOOQ and by Jdbi");
                }
            }
        }
    }

    private static void requireRefusal(Runnable order) {
        try {
            order.run();
        } catch (RuntimeException expected) {
            return;
        }
        throw new IllegalStateException("an order without payment was accepted");
    }
}
