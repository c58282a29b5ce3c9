package dev.pawl.spring.boot;

import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

/** Where the isolation of the run's transaction is set by a statement of its own; on one Boot, because it is no matter of Boot. */
class MariaDbTest {
    @Test
    void entitiesAndJobsCommitTogether() {
        JpaTest.commitTogether(TestServers.mariaDb());
    }
}
