package example.shop;

import dev.pawl.api.JobRun;
import dev.pawl.api.JobType;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.Recurring;
import org.springframework.stereotype.Component;

@Component
class Confirmations {
    record Confirm(long order) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

    private final PurchaseOrders orders;

    Confirmations(PurchaseOrders orders) {
        this.orders = orders;
    }

    /** The order's update commits with the completion of the job: once, even if this process is killed. */
    @JobHandler(value = "order.confirm", transactional = true)
    void confirm(Confirm confirm) {
        orders.confirm(confirm.order());
    }

    /** Once a night in the whole cluster. */
    @Recurring(cron = "0 3 * * *", zone = "Europe/Rome")
    @JobHandler("order.report")
    void report(JobRun run) {
        run.log("the report for " + run.tick().orElseThrow());
    }
}
