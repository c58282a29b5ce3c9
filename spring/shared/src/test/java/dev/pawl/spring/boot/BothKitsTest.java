package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.test.JobsInTest;
import dev.pawl.spring.test.PawlSpringTest;
import dev.pawl.testkit.QueueTester;
import dev.pawl.testkit.junit.PawlTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The test kit's in-memory queue and the application's own in one test: Spring resolves Spring's parameters. */
@PawlTest
@PawlSpringTest
@DirtiesContext
@SpringBootTest(
        classes = PawlSpringTestTest.Program.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
class BothKitsTest {
    private static final TestDatabase DATABASE = TestServers.sqlite().createDatabase();
    private static final JobType<Integer> COUNT = JobType.of("count", Integer.class);

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        registry.add("spring.datasource.url", DATABASE::jdbcUrl);
        String[] excluded = App.WITHOUT_JPA.split("=", 2);
        registry.add(excluded[0], () -> excluded[1]);
    }

    @AfterAll
    static void drop() {
        DATABASE.close();
    }

    @Test
    void eachExtensionResolvesItsOwnQueue(
            JobQueue inMemory,
            QueueTester tester,
            @Autowired JobQueue queue,
            @Qualifier("jobQueue") JobQueue named,
            @Autowired JobsInTest jobs) {
        assertThat(queue).isNotSameAs(inMemory).isSameAs(named);
        queue.enqueue(COUNT, 0);
        tester.assertNothingEnqueued();
        assertThat(jobs.drainNow().completed()).isEqualTo(1);
    }
}
