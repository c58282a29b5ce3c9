package dev.pawl.specification.concurrent;

import static dev.pawl.JobState.AVAILABLE;
import static dev.pawl.JobState.CANCELLED;
import static dev.pawl.JobState.COMPLETED;
import static dev.pawl.JobState.DISCARDED;
import static dev.pawl.JobState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.EnqueueOptions;
import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.UniqueWhile;
import dev.pawl.admin.BatchInfo;
import dev.pawl.schedule.Tick;
import dev.pawl.specification.concurrent.History.BatchEnd;
import dev.pawl.specification.concurrent.History.Changed;
import dev.pawl.specification.concurrent.History.Ended;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Lease;
import dev.pawl.specification.concurrent.History.Run;
import dev.pawl.specification.concurrent.History.Seen;
import dev.pawl.specification.concurrent.History.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each promise is kept by a history that keeps it, and broken by one that differs in what it forbids. */
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
    void whatIsCommittedIsThereUntilItHasEnded() {
        inserted(1, 2, 7, OPTIONS);
        last(job(7).state(COMPLETED));
        keeps(new NothingIsLost());
        last(job(7).state(AVAILABLE));
        breaks(new NothingIsLost());
    }

    @Test
    void whatIsLostIsFound() {
        inserted(1, 2, 7, OPTIONS);
        breaks(new NothingIsLost());
    }

    @Test
    void whatWasRolledBackIsNotThere() {
        last(job(8).state(COMPLETED));
        breaks(new NothingIsLost());
    }

    @Test
    void whatHasFinishedStaysSo() {
        seen(1, 2, job(7).state(COMPLETED));
        seen(3, 4, job(7).state(AVAILABLE));
        breaks(new FinishedIsFinal());
        history.changed.add(new Changed(new Span(2, 3), 7, Verb.RETRY, true));
        keeps(new FinishedIsFinal());
    }

    @Test
    void whatARunHasFinishedIsSoInTheEnd() {
        ended(3, 7, 1, COMPLETED);
        last(job(7).state(COMPLETED));
        keeps(new FinishedIsFinal());
        last(job(7).state(DISCARDED));
        breaks(new FinishedIsFinal());
    }

    @Test
    void twoRunsDoNotFinishAJob() {
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
    void whatCountsLaterHasALargerToken() {
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
    void ofTwoRunsAtOnceOneCounts() {
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
    void whatIsKeptKeepsItsUniqueKey() {
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
    void whatIsDiscardedKeepsItsUniqueKey() {
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
    void whatRunsIsNoDuplicateOfWhatWaits() {
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
    void whatWaitsForARetryHasItsKey() {
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
                        0)));
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
    void batchesAreDoneInTheEnd() {
        batch(1, 2, 0, false);
        last(callback(7, "done"));
        breaks(new CallbacksOnce());
    }

    @Test
    void callbacksAreNotEarly() {
        batch(1, 1, 1, true);
        last(callback(7, "done"));
        last(callback(8, "failed"));
        run(2, 5, job(9).headers(Map.of("pawl-batch", "1")), 1);
        ended(6, 9, 1, COMPLETED);
        run(7, 8, callback(7, "done"), 1);
        keeps(new CallbacksOnce());
        run(8, 9, job(10).headers(Map.of("pawl-batch", "1")), 1);
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
}
