package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedServerTest {
    private final AtomicInteger starts = new AtomicInteger();

    @Test
    void isStartedOnce() {
        SharedServer shared = new SharedServer(() -> {
            starts.incrementAndGet();
            return TestServers.sqlite();
        });
        assertThat(shared.get()).isSameAs(shared.get());
        assertThat(starts).hasValue(1);
    }

    @Test
    void everyCallerGetsTheCauseOfAFailedStart() {
        SharedServer shared = new SharedServer(() -> {
            starts.incrementAndGet();
            throw new ServerException("there is no shell");
        });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(shared::get)
                    .isInstanceOf(ServerException.class)
                    .hasMessageContaining("there is no shell");
        }
        assertThat(starts).hasValue(1);
    }
}
