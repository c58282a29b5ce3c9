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

/** The queue is a bean, and the worker lives as long as the application. */
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

    /** Puts unstarted jobs back, and waits for running handlers. */
    @Shutdown
    void stop() {
        worker.close();
        queue.close();
    }
}
