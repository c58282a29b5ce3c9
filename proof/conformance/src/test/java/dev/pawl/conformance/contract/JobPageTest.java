package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobPage;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs on one database, because it needs tens of thousands of jobs. */
class JobPageTest {
    /** A page returns before everything has been read, and following pages show each matching job once. */
    @Test
    void aPageReadsABoundedNumberOfJobs() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool)) {
            List<Long> wanted = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                wanted.add(
                        0,
                        queue.enqueue(new JobRequest("rare", "{}", EnqueueOptions.DEFAULTS.tags("rare")))
                                .jobId());
                queue.enqueueAll(
                        JobType.of("greet", String.class),
                        IntStream.range(0, 16_000).mapToObj(n -> "x").toList());
            }
            JobFilter filter = JobFilter.ALL.tag("rare");
            JobPage first = queue.admin().jobs().page(filter);
            assertThat(first.isCut()).isTrue();
            assertThat(first.jobs()).extracting(Job::id).containsExactly(wanted.get(0));
            JobPage second = queue.admin().jobs().page(filter.before(Objects.requireNonNull(first.next())));
            assertThat(second.jobs()).extracting(Job::id).containsExactlyElementsOf(wanted.subList(1, 3));
            assertThat(second.jobs()).extracting(Job::payload).containsOnly("");
            assertThat(second.isCut()).isFalse();
            assertThat(second.next()).isNull();
            JobPage full = queue.admin().jobs().page(JobFilter.ALL.limit(10));
            assertThat(full.jobs()).hasSize(10);
            assertThat(full.next()).isEqualTo(full.jobs().get(9).id());
        }
    }
}
