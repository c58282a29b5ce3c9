package dev.pawl.spring.boot;

import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

/**
 * On MariaDB a separate statement sets the isolation of the run's transaction; tested on one Spring Boot version only,
 * because it is independent of Spring Boot.
 */
class MariaDbTest {
    @Test
    void entitiesAndJobsCommitTogether() {
        JpaTest.commitTogether(TestServers.mariaDb());
    }
}
