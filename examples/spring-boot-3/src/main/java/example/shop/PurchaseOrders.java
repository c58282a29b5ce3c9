package example.shop;

import jakarta.persistence.EntityManager;
import org.springframework.stereotype.Repository;

/** The orders, stored with JPA. */
@Repository
class PurchaseOrders {
    private final EntityManager entities;

    PurchaseOrders(EntityManager entities) {
        this.entities = entities;
    }

    long add(String customer) {
        PurchaseOrder order = new PurchaseOrder(customer);
        entities.persist(order);
        return order.id();
    }

    void confirm(long id) {
        entities.find(PurchaseOrder.class, id).confirm();
    }

    String find(long id) {
        return entities.find(PurchaseOrder.class, id).toString();
    }
}
