package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

/** Workers on servers without SKIP LOCKED. Contracts about locked rows do not apply: such a server waits. */
class MariaDbOfOldTest extends DatabaseTest implements WorkerContract {
    @Override
    TestServer server() {
        return TestServers.mariaDbOfOld();
    }

    @Test
    void theDefaultIsOptimisticAndUnsupportedStrategiesAreRefused(Fixture fixture) {
        assertThat(fixture.queue.describe()).contains("10.3.39").contains("optimistic");
        assertThatThrownBy(() -> fixture.claim(Strategy.SKIP_LOCKED, 1, Fixture.LEASE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("leave the choice to Pawl");
    }
}
