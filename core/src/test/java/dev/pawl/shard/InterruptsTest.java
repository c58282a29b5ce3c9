package dev.pawl.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class InterruptsTest {
    private final SQLException refused = new SQLException("Connection refused", "08001");

    @Test
    void aFailureOfAnInterruptedThreadSaysNothingOfTheDatabase() {
        assertThat(Interrupts.caused(refused)).isFalse();
        Thread.currentThread().interrupt();
        try {
            assertThat(Interrupts.caused(refused)).isTrue();
        } finally {
            assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
        }
    }

    /** Drivers and pools do not always restore the thread's interrupt flag. */
    @Test
    void anInterruptMayBeTheCauseOfACause() {
        for (Exception interrupt : new Exception[] {new InterruptedException(), new ClosedByInterruptException()}) {
            assertThat(Interrupts.caused(new IllegalStateException(new SQLException("no connection", interrupt))))
                    .isTrue();
        }
        SQLException first = new SQLException("a");
        SQLException circle = new SQLException("b", first);
        first.initCause(circle);
        assertThat(Interrupts.caused(circle)).isFalse();
    }
}
