package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.api.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RescuerTest {
    private final FakeStore store = new FakeStore();
    private final Counters counters = new Counters();
    private final Rescuer rescuer = new Rescuer(store, new OutcomePolicy(RetryPolicy.DEFAULT), counters);

    private void abandon(int jobs, int maxAttempts) {
        store.add(jobs, maxAttempts);
        for (long id = 1; id <= jobs; id++) {
            store.steal(id);
            store.row(id).attempt = 1;
        }
        store.expireAll();
    }

    @Test
    void nothingIsWrittenWhenNothingIsAbandoned() throws Exception {
        assertThat(rescuer.rescue()).isZero();
        assertThat(store.calls("abandoned")).isEqualTo(1);
        assertThat(store.calls("rescue")).isZero();
    }

    @Test
    void theCauseNamesTheWorkerThatHeldTheJob() throws Exception {
        abandon(1, 1);
        assertThat(rescuer.rescue()).isEqualTo(1);
        assertThat(store.row(1).state).isEqualTo(JobState.DISCARDED);
        assertThat(store.errors()).first().asString().contains("while worker 99 (worker) held the job");
    }

    @Test
    void anyNumberOfJobsIsRescuedAndCounted() throws Exception {
        abandon(1200, 20);
        assertThat(rescuer.rescue()).isEqualTo(1200);
        assertThat(counters.rescued.sum()).isEqualTo(1200);
        assertThat(store.calls("abandoned"))
                .as("a check whether there are any, and three pages")
                .isEqualTo(4);
        assertThat(store.count(JobState.AVAILABLE)).isEqualTo(1200);
    }

    /** One of the jobs may have killed the worker. If it does so again, the others must not lose a second attempt. */
    @Test
    void jobsThatRanConcurrentlyAreRetriedOneByOne() throws Exception {
        abandon(10, 20);
        rescuer.rescue();
        assertThat(LongStream.rangeClosed(1, 10)
                        .mapToObj(id -> store.row(id).wait.toMillis())
                        .sorted())
                .containsExactly(0L, 500L, 1000L, 1500L, 2000L, 2500L, 3000L, 3500L, 4000L, 4500L);
    }

    @Test
    void manyJobsDoNotWaitLongForTheirRetries() throws Exception {
        abandon(400, 20);
        rescuer.rescue();
        assertThat(LongStream.rangeClosed(1, 400).mapToObj(id -> store.row(id).wait))
                .allMatch(wait -> wait.compareTo(Duration.ofSeconds(10)) < 0)
                .doesNotHaveDuplicates();
    }

    @Test
    void anUnavailableDatabaseIsTriedOnceAndNotForEachJob() {
        abandon(20, 20);
        store.fail("rescue", FakeStore.away());
        assertThatThrownBy(rescuer::rescue).isInstanceOf(SQLException.class);
        assertThat(store.calls("rescue")).isEqualTo(1);
    }

    @Test
    void aJobThatCannotBeRescuedIsSkippedForAnyException() throws Exception {
        abandon(8, 20);
        store.fail("rescue 3", new IllegalStateException("a driver's error"));
        assertThat(rescuer.rescue()).isEqualTo(7);
        assertThat(store.row(3).state).isEqualTo(JobState.RUNNING);
    }

    /** For example, if transactions of handlers lock all jobs. */
    @Test
    void theSearchIsBounded() throws Exception {
        abandon(12_000, 20);
        for (long id = 1; id <= 12_000; id++) {
            store.lockRow(id, true);
        }
        assertThat(rescuer.rescue()).isZero();
        assertThat(store.calls("abandoned"))
                .as("a check whether there are any, and twenty pages")
                .isEqualTo(21);
    }
}
