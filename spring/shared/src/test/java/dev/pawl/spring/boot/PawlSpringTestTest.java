package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.test.JobsInTest;
import dev.pawl.spring.test.PawlSpringTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.annotation.Transactional;

/** A test of an application runs its jobs on request. */
@PawlSpringTest
@DirtiesContext
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PawlSpringTestTest {
    private static final TestDatabase DATABASE = TestServers.sqlite().createDatabase();
    /** Prevents retries that other tests would see. */
    private static final EnqueueOptions ONCE = EnqueueOptions.DEFAULTS.maxAttempts(1);

    private static long leftOver;

    private static final JobType<Integer> COUNT = JobType.of("count", Integer.class);

    @Configuration
    @EnableAutoConfiguration
    static class Program {
        final List<Integer> counted = new CopyOnWriteArrayList<>();
        private final JobQueue queue;

        Program(JobQueue queue) {
            this.queue = queue;
        }

        @JobHandler("fail")
        void fail(String how) {
            throw new IllegalStateException(how);
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

    @Test
    void failedRunsFailTheTest(@Autowired JobQueue queue, @Autowired JobsInTest jobs) {
        queue.enqueue(JobType.of("fail", String.class), "as it was thrown", ONCE);
        assertThatThrownBy(jobs::drainNow)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 run(s) failed")
                .hasMessageContaining("(fail), attempt 1")
                .hasMessageContaining("as it was thrown");
        queue.enqueue(JobType.of("fail", String.class), "expected", ONCE);
        assertThat(jobs.drainWithFailures(Duration.ofSeconds(30)).discarded())
                .isEqualTo(1);
    }

    /** Erases also the job that another test has left, and the callback of a batch that ends only because its job is erased. */
    @Test
    @Order(2)
    void allJobsAreErasedOnRequest(@Autowired JobQueue queue, @Autowired JobsInTest jobs) {
        assertThat(queue.admin().jobs().find(leftOver)).as("not without a request").isPresent();
        Batch batch = queue.batch("b").onDone(COUNT, 0).open();
        batch.enqueue(COUNT, 1, EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        batch.seal();
        jobs.eraseAll();
        assertThat(queue.admin().jobs().list(JobFilter.ALL)).isEmpty();
        assertThat(jobs.drainNow().completed()).isZero();
    }

    @Test
    @Order(1)
    void jobsOfATestStay(@Autowired JobQueue queue) {
        leftOver = queue.enqueue(COUNT, 7, EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)))
                .jobId();
        assertThat(queue.admin().jobs().find(leftOver)).isPresent();
    }

    /** On SQLite the worker would wait for the test's own transaction until the timeout. */
    @Test
    @Transactional
    void drainingInATransactionIsRefused(@Autowired JobQueue queue, @Autowired JobsInTest jobs) {
        queue.enqueue(COUNT, 0);
        assertThatThrownBy(jobs::drainNow)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("is not committed")
                .hasMessageContaining("TestTransaction.flagForCommit()");
        TestTransaction.flagForCommit();
        TestTransaction.end();
        assertThat(jobs.drainNow().completed()).isEqualTo(1);
    }
}
