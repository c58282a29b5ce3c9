package example.shop;

import dev.pawl.JobQueue;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final PurchaseOrders orders;
    private final JobQueue queue;

    OrderController(PurchaseOrders orders, JobQueue queue) {
        this.orders = orders;
        this.queue = queue;
    }

    /** The order and its job commit together, or neither does. */
    @Transactional
    @PostMapping("/orders")
    public String place(
            @RequestParam("customer") String customer, @RequestParam(name = "paid", defaultValue = "true") boolean paid) {
        long order = orders.add(customer);
        queue.enqueue(Confirmations.CONFIRM, new Confirmations.Confirm(order));
        if (!paid) {
            throw new IllegalStateException(customer + " cannot pay");
        }
        return Long.toString(order);
    }

    @GetMapping("/orders/{id}")
    public String find(@PathVariable("id") long id) {
        return orders.find(id);
    }
}
