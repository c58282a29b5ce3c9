package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.testkit.junit.PawlTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PawlTest
class DrainTest {
    private static final JobType<Integer> COUNT_DOWN = JobType.of("count.down", Integer.class);
    private static final JobType<String> NOTE = JobType.of("note", String.class);
    private static final JobType<String> BREAK = JobType.of("break", String.class);
    private static final Duration MONTH = Duration.ofDays(30);

    private final List<String> notes = new CopyOnWriteArrayList<>();
    private JobQueue queue;
    private QueueTester tester;

    @BeforeEach
    void remember(JobQueue queue, QueueTester tester) {
        this.queue = queue;
        this.tester = tester;
    }

    private WorkerBuilder handlers() {
        return Worker.on(queue)
                .handle(NOTE, (text, run) -> notes.add(text))
                .handle(BREAK, (text, run) -> {
                    throw new IllegalStateException("broken by " + text);
                })
                .handle(COUNT_DOWN, (n, run) -> {
                    if (n > 0) {
                        queue.enqueue(COUNT_DOWN, n - 1);
                    }
                });
    }

    @Test
    void dueJobsAndTheJobsTheyEnqueueRun() {
        queue.enqueue(COUNT_DOWN, 3);
        queue.enqueue(NOTE, "later", NOTE.defaults().delay(MONTH));

        Drained drained = tester.drainNow(handlers());

        assertThat(drained.ran()).extracting(Job::payload).containsExactly("3", "2", "1", "0");
        assertThat(drained.stats().completed()).isEqualTo(4);
        assertThat(notes).isEmpty();
        assertThat(tester.drainNow(handlers()).ran()).isEmpty();
    }

    @Test
    void failuresFailTheTestAfterTheOtherRuns() {
        long broken = queue.enqueue(BREAK, "Ada").jobId();
        queue.enqueue(NOTE, "beside it");

        assertThatThrownBy(() -> tester.drainNow(handlers()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll(
                        "1 run(s) failed",
                        "Will be tried again: #" + broken + " break queue=default",
                        "payload=\"Ada\"",
                        "IllegalStateException: broken by Ada",
                        "at " + DrainTest.class.getName());
        assertThat(notes).containsExactly("beside it");
    }

    @Test
    void expectedFailuresAreReported() {
        queue.enqueue(BREAK, "Ada", BREAK.defaults().maxAttempts(2));

        Drained drained = tester.drainNow(
                handlers().retryPolicy(RetryPolicy.fixed(Duration.ZERO)), DrainOptions.DEFAULTS.allowFailures());

        assertThat(drained.failures()).extracting(FailedRun::discarded).containsExactly(false, true);
        assertThat(drained.failures().get(1).error()).contains("broken by Ada");
        assertThat(drained.ran()).hasSize(2);
    }

    @Test
    void endlessSelfEnqueuesAreDetected() {
        queue.enqueue(NOTE, "once");
        WorkerBuilder endless = Worker.on(queue).handle(NOTE, (text, run) -> queue.enqueue(NOTE, text + "+"));

        assertThatThrownBy(() -> tester.drainNow(endless, DrainOptions.DEFAULTS.runs(5)))
                .hasMessageContainingAll("more than 5 runs", "once++++", "without end");
    }

    @Test
    void hangingJobsAreNamedAndInterrupted() throws InterruptedException {
        long stuck = queue.enqueue(NOTE, "stuck").jobId();
        CountDownLatch interrupted = new CountDownLatch(1);
        WorkerBuilder hanging = Worker.on(queue).handle(NOTE, (text, run) -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });

        assertThatThrownBy(() -> tester.drainNow(hanging, DrainOptions.DEFAULTS.timeout(Duration.ofSeconds(5))))
                .hasMessageContainingAll("not done after PT5S", "still running", "#" + stuck + " note");
        assertThat(interrupted.getCount()).isZero();
    }

    @Test
    void onlyTheFirstOneRuns() {
        for (String text : List.of("a", "b", "c")) {
            queue.enqueue(NOTE, text);
        }

        assertThat(tester.runOne(handlers())).map(Job::payload).contains("\"a\"");

        assertThat(notes).containsExactly("a");
        assertThat(tester.enqueued(NOTE).payloads()).containsExactly("b", "c");
        assertThat(tester.enqueued(NOTE).jobs()).allMatch(job -> job.attempt() == 0);
        assertThat(tester.runOne(handlers())).map(Job::state).contains(JobState.COMPLETED);
        assertThat(tester.runOne(handlers())).isPresent();
        assertThat(tester.runOne(handlers())).isEmpty();
        assertThat(notes).containsExactly("a", "b", "c");

        assertThat(queue.enqueueAll(NOTE, List.of("d", "e", "f")).inserted())
                .isEqualTo(3); // including a lane that the claims have opened
        assertThat(tester.runOne(handlers()).orElseThrow().payload()).isEqualTo("\"d\"");
        assertThat(tester.enqueued(NOTE).payloads()).containsExactly("e", "f");
    }

    @Test
    void onlyTheFirstRunsEvenIfItEnqueuesMoreAndFails() {
        queue.enqueue(COUNT_DOWN, 2);
        tester.runOne(handlers());
        assertThat(tester.enqueued(COUNT_DOWN).assertOne()).isEqualTo(1);
        queue.admin().jobs().cancel(tester.waiting(COUNT_DOWN).get(0).id());

        queue.enqueue(BREAK, "Ada");
        assertThatThrownBy(() -> tester.runOne(handlers())).hasMessageContaining("broken by Ada");
    }

    @Test
    void ticksOfDeclaredAndAddedSchedulesRunOutOfTurn() {
        Schedule<String> monthly = Schedule.of("monthly", NOTE, "tick", Recurrence.every(MONTH));
        tester.runScheduleNow("monthly", handlers().schedule(monthly));
        tester.runScheduleNow("monthly", handlers());
        assertThat(notes).containsExactly("tick", "tick");

        assertThatThrownBy(() -> tester.runScheduleNow("weekly", handlers()))
                .hasMessageContaining("there is no schedule 'weekly'");
    }

    @Test
    void overlappingTicksAreReported() {
        Schedule<String> monthly = Schedule.of("monthly", NOTE, "tick", Recurrence.every(MONTH));
        assertThat(queue.schedules().add(monthly)).isTrue();
        assertThat(queue.schedules().runNow("monthly")).isPresent();
        WorkerBuilder another = Worker.on(queue).handle(BREAK, (text, run) -> {});

        assertThatThrownBy(() -> tester.runScheduleNow("monthly", another))
                .hasMessageContainingAll("has enqueued nothing", "has not ended");
    }

    @Test
    void jobsWithoutAHandlerAreSkipped() {
        long id = queue.enqueue(NOTE, "left").jobId();
        tester.drainNow(Worker.on(queue).handle(BREAK, (text, run) -> {}));
        assertThat(queue.admin().jobs().find(id).orElseThrow().state()).isEqualTo(JobState.AVAILABLE);
    }
}
