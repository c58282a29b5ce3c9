package example.billing;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.spring.JobHandler;
import example.order.OrderPlaced;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
class Bills {
    private static final JobType<OrderPlaced> BILL = JobType.of("order.bill", OrderPlaced.class);

    private final JobQueue queue;
    private final JdbcTemplate jdbc;

    Bills(JobQueue queue, JdbcTemplate jdbc) {
        this.queue = queue;
        this.jdbc = jdbc;
    }

    /** In the publisher's transaction: the job exists if and only if the order does. No event registry is needed. */
    @EventListener
    void hear(OrderPlaced event) {
        queue.enqueue(BILL, event);
    }

    /** Replaces an @ApplicationModuleListener. A failed job is retried, and the bill commits with the job's completion. */
    @JobHandler(value = "order.bill", transactional = true)
    void bill(OrderPlaced event) {
        jdbc.update("INSERT INTO bills (id) VALUES (?)", event.order());
    }
}
