package example.order;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders {
    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;

    Orders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    @Transactional
    public void place(int order, boolean paid) {
        jdbc.update("INSERT INTO orders (id) VALUES (?)", order);
        events.publishEvent(new OrderPlaced(order));
        if (!paid) {
            throw new IllegalStateException("not paid");
        }
    }
}
