package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contracts that depend most on the SQL mode, in sessions with all modes that change the meaning of SQL. */
@Execution(ExecutionMode.CONCURRENT)
@OneOfUnusualMariaDb
class MariaDbModesTest extends DatabaseTest
        implements EnqueueSqlContract, BulkChangeContract, AdminContract, UniqueContract, KeyContract, LimitContract {
    @Override
    TestServer server() {
        return TestServers.mariaDbOfOtherModes();
    }

    @Override
    Strategy strategy() {
        return Strategy.AUTO;
    }

    @Test
    void sessionsHaveTheModes(Fixture fixture) throws Exception {
        assertThat(
                        fixture.longOf(
                                "SELECT @@sql_mode LIKE '%HIGH_NOT_PRECEDENCE%' AND @@sql_mode LIKE '%SIMULTANEOUS_ASSIGNMENT%'"))
                .isEqualTo(1);
    }
}
