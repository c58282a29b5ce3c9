package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.test.JobsInTest;
import dev.pawl.spring.test.PawlTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test of an application runs its jobs when it wants. */
@PawlTest
@DirtiesContext
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
class PawlTestTest {
    private static final TestDatabase DATABASE = TestServers.sqlite().createDatabase();
    private static final JobType<Integer> COUNT = JobType.of("count", Integer.class);

    @Configuration
    @EnableAutoConfiguration
    static class Program {
        final List<Integer> counted = new CopyOnWriteArrayList<>();
        private final JobQueue queue;

        Program(JobQueue queue) {
            this.queue = queue;
        }

        @JobHandler("count")
        void count(int down) {
            counted.add(down);
            if (down > 0) {
                queue.enqueue(COUNT, down - 1);
            }
        }
    }

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
    void jobsAndThoseThatTheyEnqueueRun(
            @Autowired JobQueue queue, @Autowired JobsInTest jobs, @Autowired Program program) {
        queue.enqueue(COUNT, 2);
        assertThat(program.counted).isEmpty();
        assertThat(jobs.drainNow().completed()).isEqualTo(3);
        assertThat(program.counted).containsExactly(2, 1, 0);
    }
}
