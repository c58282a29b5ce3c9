package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

/** What workers do where SKIP LOCKED does not exist. Contracts about rows that others have locked are not for it: it waits. */
class MariaDbOfOldTest extends DatabaseTest implements WorkerContract {
    @Override
    TestServer server() {
        return TestServers.mariaDbOfOld();
    }

    @Test
    void theChoiceIsOptimisticAndWhatTheServerCannotDoIsRefused(Fixture fixture) {
        assertThat(fixture.queue.describe()).contains("10.3.39").contains("optimistic");
        assertThatThrownBy(() -> fixture.claim(Strategy.SKIP_LOCKED, 1, Fixture.LEASE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("leave the choice to Pawl");
    }
}
