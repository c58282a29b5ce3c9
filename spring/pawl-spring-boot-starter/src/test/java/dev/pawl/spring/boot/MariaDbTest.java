package dev.pawl.spring.boot;

import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

/**
 * On MariaDB a separate statement sets the isolation level of the run's transaction. One version of Spring Boot is tested, because the
 * statement does not depend on Spring Boot.
 */
class MariaDbTest {
    @Test
    void entitiesAndJobsCommitTogether() {
        JpaTest.commitTogether(TestServers.mariaDb());
    }
}
