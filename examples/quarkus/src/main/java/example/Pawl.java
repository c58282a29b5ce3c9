package example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import io.quarkus.runtime.Shutdown;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The queue is a bean, and the worker has the life cycle of the application. */
@ApplicationScoped
public class Pawl {
    @Inject
    JobQueue queue;

    @Inject
    Orders orders;

    private Worker worker;

    @Produces
    @Singleton
    static JobQueue queue(DataSource dataSource, JtaTransactions transactions) {
        return JobQueue.builder(dataSource).transactions(transactions).open();
    }

    @Startup
    void start() {
        worker = Worker.on(queue)
                .handle(Orders.CONFIRM, (confirm, run) -> run.transaction(connection -> orders.confirm(confirm.order())))
                .start();
    }

    /** Releases jobs that have not begun, and lets running handlers end. */
    @Shutdown
    void stop() {
        worker.close();
        queue.close();
    }
}
