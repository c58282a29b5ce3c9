package example.shop;

import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** Kept by JDBC. The program for Boot 4 has entities instead. */
@Repository
class PurchaseOrders {
    private final JdbcTemplate jdbc;

    PurchaseOrders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute("CREATE TABLE IF NOT EXISTS purchase_order"
                + " (id integer PRIMARY KEY, customer text NOT NULL, confirmed integer NOT NULL)");
    }

    long add(String customer) {
        return Objects.requireNonNull(jdbc.queryForObject(
                "INSERT INTO purchase_order (customer, confirmed) VALUES (?, 0) RETURNING id", Long.class, customer));
    }

    void confirm(long id) {
        jdbc.update("UPDATE purchase_order SET confirmed = 1 WHERE id = ?", id);
    }

    String find(long id) {
        return jdbc.queryForObject(
                "SELECT customer, confirmed FROM purchase_order WHERE id = ?",
                (row, number) -> row.getString(1) + (row.getBoolean(2) ? ": confirmed" : ": to be confirmed"),
                id);
    }
}
