package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.admin.JobStack;
import dev.pawl.admin.StackRequest;
import dev.pawl.api.JobState;
import dev.pawl.internal.store.Lease;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Stack traces of running handlers, on request. */
@WhiteBox
interface StackContract extends Contract {
    /** This method has a name, so that the trace shows it. */
    private static void waitHere(CountDownLatch end) throws InterruptedException {
        boolean unused = end.await(1, TimeUnit.MINUTES);
    }

    private JobStack stack(long id) {
        await().atMost(Fixture.SOON)
                .until(() -> fixture().admin.runs().stackTrace(id).orElseThrow().stack() != null);
        return fixture().admin.runs().stackTrace(id).orElseThrow();
    }

    @Test
    default void aRequestShowsTheStackTraceOfAHandler() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        long id = fixture().enqueue();
        Worker worker = fixture()
                .newWorker()
                .handle(GREET, (text, run) -> {
                    running.countDown();
                    waitHere(end);
                })
                .start();
        try (worker) {
            assertThat(running.await(Fixture.SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(fixture().admin.runs().stackTrace(id)).isEmpty();
            assertThat(fixture().admin.runs().requestStackTrace(id)).isEqualTo(StackRequest.REQUESTED);
            JobStack stack = stack(id);
            assertThat(stack.stack())
                    .contains("WAITING", "StackContract.waitHere")
                    .doesNotContain("dev.pawl.internal.engine.Runner.run");
            assertThat(stack.attempt()).isEqualTo(1);
            assertThat(stack.reportedAt()).isAfterOrEqualTo(stack.requestedAt());

            assertThat(fixture().admin.runs().requestStackTrace(id)).isEqualTo(StackRequest.REQUESTED);
            assertThat(stack(id).requestedAt()).as("requested again").isAfter(stack.requestedAt());
            end.countDown();
            fixture().awaitState(id, JobState.COMPLETED);
        }
        assertThat(fixture().admin.runs().requestStackTrace(id)).isEqualTo(StackRequest.NOT_RUNNING);
        assertThat(fixture().admin.runs().requestStackTrace(id + 1_000)).isEqualTo(StackRequest.NOT_FOUND);
        assertThat(fixture().admin.runs().stackTrace(id).orElseThrow().stack())
                .as("the reported trace stays")
                .contains("waitHere");
    }

    /** A stack trace is accepted only from the requested run, and once. */
    @Test
    default void aStackTraceOfALaterRunIsIgnored() throws Exception {
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().admin.runs().requestStackTrace(id)).isEqualTo(StackRequest.REQUESTED);
        fixture().store.reportStackTrace(new Lease(id, lease.token() + 1), "of a later run");
        assertThat(fixture().admin.runs().stackTrace(id).orElseThrow().stack()).isNull();
        fixture().store.reportStackTrace(lease, "of this run");
        fixture().store.reportStackTrace(lease, "a late report");
        assertThat(fixture().admin.runs().stackTrace(id).orElseThrow().stack()).isEqualTo("of this run");
    }

    /** A request deletes old requests. */
    @Test
    default void oldStackTraceRequestsAreDeleted() throws Exception {
        long id = fixture().enqueue();
        long other = fixture().enqueue();
        var unused = fixture().claimOne();
        unused = fixture().claimOne();
        assertThat(fixture().admin.runs().requestStackTrace(id)).isEqualTo(StackRequest.REQUESTED);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_stack")).isEqualTo(1);
        fixture()
                .execute("UPDATE pawl_stack SET requested_at = "
                        + fixture().product.earlier("requested_at", 7_200));
        assertThat(fixture().admin.runs().requestStackTrace(other)).isEqualTo(StackRequest.REQUESTED);
        assertThat(fixture().admin.runs().stackTrace(id)).isEmpty();
        assertThat(fixture().admin.runs().stackTrace(other)).isPresent();
    }
}
