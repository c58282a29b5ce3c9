package dev.pawl.specification.faults;

import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The server's clock is set back. It is not set to before the last time that matters to the queue, because the model does not define what
 * happens then.
 *
 * @param seconds by how much
 */
public record ClockBack(int seconds) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        Duration back = Duration.ofSeconds(-seconds);
        if (model.now.plus(back).isAfter(model.lastMoment())) {
            model.stepClock(back);
        }
        real.stepClock(model.now);
    }

    @Override
    public String toString() {
        return "new ClockBack(" + seconds + ")";
    }
}
