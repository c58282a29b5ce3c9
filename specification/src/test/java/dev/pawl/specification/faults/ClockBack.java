package dev.pawl.specification.faults;

import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The server's clock is set back. Forwards, it is as if time had gone on.
 *
 * @param seconds by how much
 */
public record ClockBack(int seconds) implements Op {
    @Override
    public void on(Real real, Model model) throws SQLException {
        model.stepClock(Duration.ofSeconds(-seconds));
        real.stepClock(model.now);
    }

    @Override
    public String toString() {
        return "new ClockBack(" + seconds + ")";
    }
}
