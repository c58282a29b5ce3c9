package dev.pawl.specification.concurrent;

import static dev.pawl.api.JobState.AVAILABLE;
import static dev.pawl.api.JobState.CANCELLED;
import static dev.pawl.api.JobState.COMPLETED;
import static dev.pawl.api.JobState.DISCARDED;
import static dev.pawl.api.JobState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.BatchInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnFailure;
import dev.pawl.api.Tick;
import dev.pawl.api.UniqueWhile;
import dev.pawl.specification.concurrent.History.Attribute;
import dev.pawl.specification.concurrent.History.BatchEnd;
import dev.pawl.specification.concurrent.History.Changed;
import dev.pawl.specification.concurrent.History.Confided;
import dev.pawl.specification.concurrent.History.Ended;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Erased;
import dev.pawl.specification.concurrent.History.Flow;
import dev.pawl.specification.concurrent.History.Lease;
import dev.pawl.specification.concurrent.History.Node;
import dev.pawl.specification.concurrent.History.Pause;
import dev.pawl.specification.concurrent.History.Run;
import dev.pawl.specification.concurrent.History.Seen;
import dev.pawl.specification.concurrent.History.Verb;
import dev.pawl.specification.concurrent.History.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each promise accepts a history that keeps it, and rejects one with a single violation. */
class PromisesTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final EnqueueOptions OPTIONS = EnqueueOptions.DEFAULTS;

    private final History history = new History();

    private static Job.Builder job(long id) {
        return Job.builder(id, "plain", "default").payload(Long.toString(id));
    }

    private void enqueued(long from, long to, EnqueueOptions options, EnqueueResult result) {
        history.enqueued.add(new Enqueued(new Span(from, to), (int) result.jobId(), "plain", options, result));
    }

    private void inserted(long from, long to, long id, EnqueueOptions options) {
        enqueued(from, to, options, new EnqueueResult.Inserted(id));
    }

    private void duplicate(long from, long to, long id, EnqueueOptions options) {
        enqueued(from, to, options, new EnqueueResult.Duplicate(id));
    }

    private void run(long from, long to, Job.Builder job, long token) {
        history.runs.add(new Run(new Span(from, to), job.leaseToken(token).build(), null));
    }

    private void ended(long at, long id, long token, JobState state) {
        history.ended.add(new Ended(at, new Lease(id, token), state));
    }

    private void seen(long from, long to, Job.Builder job) {
        history.seen.add(new Seen(new Span(from, to), job.build()));
    }

    private void last(Job.Builder job) {
        Job built = job.build();
        history.last.put(built.id(), built);
    }

    private void keeps(Promise promise) {
        assertThat(promise.brokenBy(history)).isEmpty();
    }

    private void breaks(Promise promise) {
        assertThat(promise.brokenBy(history)).hasSize(1);
    }

    @Test
    void committedJobsExistUntilTheyEnd() {
        inserted(1, 2, 7, OPTIONS);
        last(job(7).state(COMPLETED));
        keeps(new NothingIsLost());
        last(job(7).state(AVAILABLE));
        breaks(new NothingIsLost());
    }

    @Test
    void lostJobsAreDetected() {
        inserted(1, 2, 7, OPTIONS);
        breaks(new NothingIsLost());
    }

    @Test
    void rolledBackJobsDoNotExist() {
        last(job(8).state(COMPLETED));
        breaks(new NothingIsLost());
    }

    @Test
    void finishedJobsStayFinished() {
        seen(1, 2, job(7).state(COMPLETED));
        seen(3, 4, job(7).state(AVAILABLE));
        breaks(new FinishedIsFinal());
        history.changed.add(new Changed(new Span(2, 3), 7, Verb.RETRY, true));
        keeps(new FinishedIsFinal());
    }

    @Test
    void outcomesLast() {
        ended(3, 7, 1, COMPLETED);
        last(job(7).state(COMPLETED));
        keeps(new FinishedIsFinal());
        last(job(7).state(DISCARDED));
        breaks(new FinishedIsFinal());
    }

    @Test
    void aJobIsNotFinishedTwice() {
        ended(3, 7, 1, COMPLETED);
        ended(4, 7, 2, COMPLETED);
        last(job(7).state(COMPLETED));
        breaks(new FinishedIsFinal());
    }

    @Test
    void tokensDoNotGoBack() {
        seen(1, 2, job(7).state(RUNNING).leaseToken(5));
        seen(3, 4, job(7).state(RUNNING).leaseToken(6));
        keeps(new TokensGrow());
        seen(5, 6, job(7).state(RUNNING).leaseToken(4));
        breaks(new TokensGrow());
    }

    @Test
    void tokensAreNotGivenTwice() {
        run(1, 2, job(7), 5);
        run(3, 4, job(7), 5);
        breaks(new TokensGrow());
    }

    @Test
    void laterOutcomesHaveLargerTokens() {
        run(1, 2, job(7), 6);
        ended(3, 7, 6, AVAILABLE);
        run(4, 5, job(7), 5);
        keeps(new TokensGrow());
        ended(6, 7, 5, COMPLETED);
        breaks(new TokensGrow());
    }

    @Test
    void aTokenHasOneOutcome() {
        ended(1, 7, 5, AVAILABLE);
        keeps(new OneOutcome());
        ended(2, 7, 5, COMPLETED);
        breaks(new OneOutcome());
    }

    @Test
    void oneOfTwoConcurrentRunsCounts() {
        run(1, 4, job(7), 5);
        run(3, 6, job(7), 6);
        ended(7, 7, 6, COMPLETED);
        keeps(new OneOutcome());
        ended(5, 7, 5, AVAILABLE);
        breaks(new OneOutcome());
    }

    @Test
    void limitsAreNotExceeded() {
        Promise limit = new LimitHolds(job -> Optional.of(job.queue()), 1);
        run(1, 4, job(7), 1);
        run(4, 6, job(8), 1);
        ended(7, 7, 1, COMPLETED);
        ended(7, 8, 1, COMPLETED);
        keeps(limit);
        run(5, 8, job(9), 1);
        keeps(limit);
        ended(9, 9, 1, COMPLETED);
        breaks(limit);
    }

    @Test
    void keysAreInOrder() {
        Promise order = new KeysInOrder("default");
        inserted(1, 2, 7, OPTIONS.key("x"));
        inserted(2, 3, 6, OPTIONS.key("x"));
        inserted(4, 5, 8, OPTIONS.key("x"));
        run(11, 12, job(6), 1);
        run(13, 14, job(7), 1);
        run(15, 16, job(8), 1);
        history.runs.forEach(run -> ended(17, run.job().id(), 1, COMPLETED));
        keeps(order);
        run(17, 18, job(7), 2);
        ended(19, 7, 2, COMPLETED);
        breaks(order);
    }

    @Test
    void aLiveJobKeepsItsUniqueKey() {
        EnqueueOptions live = OPTIONS.uniqueKey("u");
        inserted(1, 2, 7, live);
        duplicate(3, 4, 7, live);
        inserted(5, 9, 8, live);
        run(4, 7, job(7), 1);
        ended(8, 7, 1, COMPLETED);
        last(job(7).state(COMPLETED));
        keeps(new UniqueKeysHold());
        duplicate(10, 11, 7, live);
        breaks(new UniqueKeysHold());
    }

    @Test
    void twoLiveJobsDoNotHaveOneUniqueKey() {
        EnqueueOptions live = OPTIONS.uniqueKey("u");
        inserted(1, 2, 7, live);
        inserted(3, 4, 8, live);
        run(5, 6, job(7), 1);
        ended(8, 7, 1, COMPLETED);
        last(job(7).state(COMPLETED));
        breaks(new UniqueKeysHold());
    }

    @Test
    void keptJobsKeepTheirUniqueKey() {
        EnqueueOptions kept = OPTIONS.uniqueKey("u").uniqueWhile(UniqueWhile.KEPT);
        inserted(1, 2, 7, kept);
        run(3, 4, job(7), 1);
        ended(5, 7, 1, COMPLETED);
        last(job(7).state(COMPLETED));
        duplicate(6, 7, 7, kept);
        keeps(new UniqueKeysHold());
        inserted(8, 9, 8, kept);
        breaks(new UniqueKeysHold());
    }

    @Test
    void discardedJobsKeepTheirUniqueKey() {
        EnqueueOptions discarded = OPTIONS.uniqueKey("u").uniqueWhile(UniqueWhile.LIVE_OR_DISCARDED);
        inserted(1, 2, 7, discarded);
        last(job(7).state(CANCELLED));
        history.changed.add(new Changed(new Span(3, 4), 7, Verb.CANCEL, true));
        inserted(5, 6, 8, discarded);
        keeps(new UniqueKeysHold());
        last(job(7).state(DISCARDED));
        breaks(new UniqueKeysHold());
    }

    @Test
    void aNewJobIsNoDuplicateOfARunningOne() {
        EnqueueOptions waiting = OPTIONS.uniqueKey("u").uniqueWhile(UniqueWhile.WAITING);
        inserted(1, 2, 7, waiting);
        run(5, 9, job(7), 1);
        ended(10, 7, 1, COMPLETED);
        last(job(7).state(COMPLETED));
        duplicate(3, 4, 7, waiting);
        inserted(3, 4, 8, waiting);
        keeps(new UniqueKeysHold());
        duplicate(6, 7, 7, waiting);
        breaks(new UniqueKeysHold());
    }

    @Test
    void jobsThatWaitForARetryKeepTheirKey() {
        EnqueueOptions waiting = OPTIONS.uniqueKey("u").uniqueWhile(UniqueWhile.WAITING);
        inserted(1, 2, 7, waiting);
        run(5, 6, job(7), 1);
        ended(7, 7, 1, AVAILABLE);
        history.changed.add(new Changed(new Span(10, 11), 7, Verb.CANCEL, true));
        last(job(7).state(CANCELLED));
        duplicate(8, 9, 7, waiting);
        keeps(new UniqueKeysHold());
        duplicate(12, 13, 7, waiting);
        breaks(new UniqueKeysHold());
    }

    private void batch(long sealed, int completed, int failed, boolean isDone) {
        history.batches.add(new BatchEnd(
                new Span(sealed, sealed),
                new BatchInfo(
                        1,
                        null,
                        "b",
                        completed + failed,
                        completed,
                        failed,
                        0,
                        NOON,
                        NOON,
                        null,
                        isDone ? NOON : null,
                        null,
                        0),
                false));
    }

    private static Job.Builder callback(long id, String payload) {
        return job(id).payload("\"" + payload + "\"").headers(Map.of(CallbacksOnce.OF, "1"));
    }

    @Test
    void callbacksAreEnqueuedOnce() {
        batch(1, 2, 0, true);
        last(callback(7, "done"));
        last(callback(8, "success"));
        keeps(new CallbacksOnce());
        last(callback(9, "done"));
        breaks(new CallbacksOnce());
    }

    @Test
    void callbacksAreNotLeftOut() {
        batch(1, 1, 1, true);
        last(callback(7, "done"));
        breaks(new CallbacksOnce());
        last(callback(8, "failed"));
        keeps(new CallbacksOnce());
        last(callback(9, "success"));
        breaks(new CallbacksOnce());
    }

    @Test
    void batchesFinishEventually() {
        batch(1, 2, 0, false);
        last(callback(7, "done"));
        breaks(new CallbacksOnce());
    }

    @Test
    void callbacksAreNotEarly() {
        batch(1, 1, 1, true);
        last(callback(7, "done"));
        last(callback(8, "failed"));
        run(2, 5, job(9).batch(1L), 1);
        ended(6, 9, 1, COMPLETED);
        run(7, 8, callback(7, "done"), 1);
        keeps(new CallbacksOnce());
        run(8, 9, job(10).batch(1L), 1);
        ended(10, 10, 1, COMPLETED);
        breaks(new CallbacksOnce());
    }

    private static Job.Builder tick(long id, Instant at) {
        return job(id).headers(Map.of(Tick.HEADER, at.toString()));
    }

    @Test
    void ticksComeOnce() {
        Promise ticks = new TicksOnce(Duration.ofSeconds(1));
        last(tick(7, NOON));
        last(tick(8, NOON.plusSeconds(1)));
        keeps(ticks);
        last(tick(9, NOON.plusSeconds(1)));
        breaks(ticks);
    }

    @Test
    void ticksAreNotLeftOut() {
        Promise ticks = new TicksOnce(Duration.ofSeconds(1));
        last(tick(7, NOON));
        last(tick(8, NOON.plusSeconds(2)));
        breaks(ticks);
    }

    private void slot(long job, long slot) {
        history.runs.add(new Run(new Span(job, job), job(job).leaseToken(1).build(), slot));
        ended(job, job, 1, COMPLETED);
        last(job(job).state(COMPLETED).leaseToken(1));
    }

    @Test
    void slotsAreUsedOnce() {
        slot(7, 1);
        slot(8, 2);
        keeps(new SlotsOnce());
        slot(9, 2);
        assertThat(new SlotsOnce().brokenBy(history)).isNotEmpty();
    }

    @Test
    void slotsAreNotLeftOut() {
        slot(7, 1);
        slot(8, 3);
        breaks(new SlotsOnce());
    }

    private void started(long at, long id, int cost) {
        history.runs.add(
                new Run(new Span(at, at), job(id).cost(cost).leaseToken(1).build(), null));
    }

    @Test
    void noMoreStartThanTheRateAllows() {
        Promise rate = new RateHolds(job -> true, 3, Duration.ofSeconds(1));
        long second = Duration.ofSeconds(1).toNanos();
        started(0, 7, 1);
        started(second / 4, 8, 2);
        started(second, 9, 1);
        keeps(rate);
        started(second + second / 8, 10, 1);
        breaks(rate);
        history.stalls.add(new Span(second, second + second / 8));
        keeps(rate);
    }

    @Test
    void aCostAboveTheRateUsesAllOfIt() {
        Promise rate = new RateHolds(job -> true, 3, Duration.ofSeconds(1));
        started(0, 7, 5);
        keeps(rate);
        started(1, 8, 1);
        breaks(rate);
    }

    @Test
    void runsHaveTheLastWrittenValues() {
        inserted(1, 2, 7, OPTIONS);
        history.written.add(new Written(new Span(3, 6), 7, Attribute.PAYLOAD, "8"));
        history.written.add(new Written(new Span(5, 7), 7, Attribute.PAYLOAD, "9"));
        last(job(7).payload("8"));
        keeps(new ChangesHold());
        run(8, 9, job(7).payload("9"), 1);
        ended(10, 7, 1, COMPLETED);
        keeps(new ChangesHold());
        run(8, 9, job(7), 2);
        keeps(new ChangesHold());
        ended(10, 7, 2, COMPLETED);
        breaks(new ChangesHold());
    }

    @Test
    void movedJobsStayInTheirNewQueue() {
        inserted(1, 2, 7, OPTIONS);
        history.written.add(new Written(new Span(3, 4), 7, Attribute.QUEUE, "b"));
        history.written.add(new Written(new Span(5, 6), 7, Attribute.QUEUE, "c"));
        last(Job.builder(7, "plain", "c").payload("7"));
        keeps(new ChangesHold());
        last(Job.builder(7, "plain", "b").payload("7"));
        breaks(new ChangesHold());
    }

    private void claimed(long id, Instant at, long worker) {
        run(id, id, job(id).startedAt(at).leasedBy(worker), 1);
    }

    @Test
    void nothingIsClaimedFromAPausedQueue() {
        history.pauses.add(new Pause("default", NOON, NOON.plusSeconds(9)));
        claimed(6, NOON, 1);
        claimed(7, NOON.plusSeconds(1), 1); // in flight
        claimed(8, NOON.plusSeconds(1), 1);
        claimed(9, NOON.plusSeconds(2), 2);
        claimed(10, NOON.plusSeconds(9), 1);
        run(11, 11, Job.builder(11, "plain", "b").startedAt(NOON.plusSeconds(3)).leasedBy(1L), 1);
        keeps(new PausesHold());
        claimed(12, NOON.plusSeconds(3), 1);
        breaks(new PausesHold());
    }

    @Test
    void nothingIsClaimedWhileAllQueuesArePaused() {
        history.pauses.add(new Pause(null, NOON, NOON.plusSeconds(9)));
        claimed(7, NOON.plusSeconds(1), 1);
        keeps(new PausesHold());
        claimed(8, NOON.plusSeconds(2), 1);
        breaks(new PausesHold());
    }

    private void flow(OnFailure onFailure) {
        history.flows.add(new Flow(
                1, List.of(new Node(Map.of(7L, 7), Map.of()), new Node(Map.of(8L, 8), Map.of(0, onFailure)))));
    }

    private void ran(long from, long to, long id, JobState state) {
        run(from, to, job(id), 1);
        ended(to, id, 1, state);
        last(job(id).state(state));
    }

    @Test
    void aNodeStartsWhenItsDependenciesHaveEnded() {
        flow(OnFailure.BLOCK);
        ran(1, 4, 7, COMPLETED);
        ran(5, 6, 8, COMPLETED);
        keeps(new WorkflowsHold());
        ran(3, 6, 8, COMPLETED);
        breaks(new WorkflowsHold());
    }

    @Test
    void aDoomedNodeDoesNotBegin() {
        flow(OnFailure.CANCEL);
        ran(1, 2, 7, DISCARDED);
        last(job(8).state(CANCELLED));
        keeps(new WorkflowsHold());
        ran(3, 4, 8, CANCELLED);
        breaks(new WorkflowsHold());
    }

    @Test
    void aNodeThatMayRunDoes() {
        flow(OnFailure.RUN_ANYWAY);
        ran(1, 2, 7, DISCARDED);
        last(job(8).state(CANCELLED));
        breaks(new WorkflowsHold());
        history.changed.add(new Changed(new Span(3, 4), 8, Verb.CANCEL, true));
        keeps(new WorkflowsHold());
    }

    @Test
    void jobsOfWorkflowsAreNotLost() {
        flow(OnFailure.BLOCK);
        last(job(7).state(COMPLETED));
        last(job(8).state(CANCELLED));
        keeps(new NothingIsLost());
        last(job(8).state(AVAILABLE));
        breaks(new NothingIsLost());
    }

    @Test
    void erasedJobsLeaveNothing() {
        history.confided.add(new Confided("ann", 7));
        breaks(new ErasedIsGone());
        history.traces.put("ann", "a table");
        keeps(new ErasedIsGone());
        history.erased.add(new Erased(new Span(1, 2), "ann", true));
        breaks(new ErasedIsGone());
        history.traces.clear();
        keeps(new ErasedIsGone());
    }

    @Test
    void erasedJobsDoNotRun() {
        history.confided.add(new Confided("ann", 7));
        history.erased.add(new Erased(new Span(3, 4), "ann", true));
        run(1, 2, job(7), 1);
        ended(2, 7, 1, AVAILABLE);
        run(5, 6, job(7), 2);
        keeps(new ErasedIsGone());
        ended(7, 7, 2, COMPLETED);
        breaks(new ErasedIsGone());
    }

    @Test
    void runningJobsAreErasedAfterTheirEnd() {
        history.confided.add(new Confided("ann", 7));
        history.traces.put("ann", "a table");
        history.erased.add(new Erased(new Span(3, 4), "ann", false));
        breaks(new ErasedIsGone());
    }
}
