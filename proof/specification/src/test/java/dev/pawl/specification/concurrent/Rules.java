package dev.pawl.specification.concurrent;

import dev.pawl.JobQueue;
import dev.pawl.limit.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The limits in force, and all guarantees. */
final class Rules {
    /** A queue that runs few jobs at once. */
    static final String LIMITED = "limited";
    /** A queue that runs several jobs of each key at once. */
    static final String TWOS = "twos";

    /** A queue that starts only some jobs per second. */
    static final String SLOW = "slow";

    static final List<String> QUEUES = List.of("default", LIMITED, TWOS, SLOW);

    static final int FEW = 3;
    static final int MAX = 2;
    static final int OF_A_KEY = 2;
    static final int STARTS = 20;
    static final int STARTS_OF_SLOW = 30;
    static final Duration SECOND = Duration.ofSeconds(1);

    static final List<Promise> ALL = List.of(
            new NothingIsLost(),
            new FinishedIsFinal(),
            new TokensGrow(),
            new OneOutcome(),
            new LimitHolds(job -> job.queue().equals(LIMITED) ? Optional.of("the queue") : Optional.empty(), MAX),
            new LimitHolds(job -> job.kind().equals("few") ? Optional.of("the kind") : Optional.empty(), FEW),
            new LimitHolds(job -> job.queue().equals(TWOS) ? job.key() : Optional.empty(), OF_A_KEY),
            new LimitHolds(
                    job -> job.queue().equals(TWOS)
                            ? Optional.empty()
                            : job.key().map(key -> job.queue() + " " + key),
                    1),
            new RateHolds(job -> job.kind().equals("rated"), STARTS, SECOND),
            new RateHolds(job -> job.queue().equals(SLOW), STARTS_OF_SLOW, SECOND),
            new KeysInOrder("default"),
            new KeysInOrder(LIMITED),
            new UniqueKeysHold(),
            new CallbacksOnce(),
            new TicksOnce(SECOND),
            new SlotsOnce(),
            new ChangesHold(),
            new PausesHold(),
            new WorkflowsHold(),
            new ErasedIsGone());

    private Rules() {}

    static void set(JobQueue queue) {
        queue.limits().set(Limit.queue(LIMITED).atOnce(MAX));
        queue.limits().set(Limit.kind("few").atOnce(FEW));
        queue.limits().set(Limit.kind("rated").rate(STARTS, SECOND));
        queue.limits().set(Limit.queue(SLOW).rate(STARTS_OF_SLOW, SECOND));
        queue.limits().set(Limit.keysOf(TWOS).atOnce(OF_A_KEY));
    }

    static List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        ALL.forEach(promise -> broken.addAll(promise.brokenBy(history)));
        return broken;
    }
}
