package example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The queue and the worker are beans; both end with the application, the worker first. */
@Factory
class Pawl {
    /** On the pool itself: Pawl's internal statements are not in a Micronaut transaction. */
    @Singleton
    @Bean(preDestroy = "close")
    JobQueue queue(DataSource dataSource, MicronautTransactions transactions) {
        return JobQueue.builder(DelegatingDataSource.unwrapDataSource(dataSource))
                .transactions(transactions)
                .open();
    }

    @Context
    @Bean(preDestroy = "close")
    Worker worker(JobQueue queue, Orders orders) {
        return Worker.on(queue)
                .handle(Orders.CONFIRM, (confirm, run) -> run.transaction(connection -> orders.confirm(confirm.order())))
                .start();
    }
}
