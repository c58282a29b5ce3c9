package example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

@Entity
class PurchaseOrder {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private String customer;

    private boolean confirmed;

    protected PurchaseOrder() {}

    PurchaseOrder(String customer) {
        this.customer = customer;
    }

    long id() {
        return id;
    }

    void confirm() {
        confirmed = true;
    }

    @Override
    public String toString() {
        return customer + (confirmed ? ": confirmed" : ": to be confirmed");
    }
}
