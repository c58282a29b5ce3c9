package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.ClaimOffer;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The idle handlers that a worker offers to enqueues of its process. */
class HandlerOffersTest extends EngineFixture {
    private @Nullable ClaimOffer offer() {
        return wakes.offers().offer("default", "greet");
    }

    private List<ClaimOffer> awaitOffers(int count) throws InterruptedException {
        List<ClaimOffer> offers = new ArrayList<>();
        await(() -> {
            ClaimOffer offer = offer();
            if (offer != null) {
                offers.add(offer);
            }
            return offers.size() == count;
        });
        return offers;
    }

    private static void end(List<ClaimOffer> offers) {
        offers.forEach(offer -> offer.take(List.of()));
    }

    @Test
    void eachIdleHandlerIsOfferedOnce() throws Exception {
        start(2, (payload, run) -> Outcome.completed());
        List<ClaimOffer> offers = awaitOffers(2);
        assertThat(offer()).isNull();
        end(offers);
        end(awaitOffers(2));
    }

    @Test
    void otherQueuesAndKindsGetNone() throws Exception {
        start(1, (payload, run) -> Outcome.completed());
        end(awaitOffers(1));
        assertThat(wakes.offers().offer("other", "greet")).isNull();
        assertThat(wakes.offers().offer("default", "other")).isNull();
    }

    @Test
    void busyHandlersAreNotOffered() throws Exception {
        start(1, (payload, run) -> block());
        store.add("{}", 3);
        await(() -> begun.size() == 1);
        assertThat(offer()).isNull();
    }

    @Test
    void aDrainedWorkerOffersNone() throws Exception {
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        end(awaitOffers(1));
        engine.drain();
        assertThat(offer()).isNull();
    }

    @Test
    void aWorkerWithLimitsOffersNone() throws Exception {
        store.limit(Subject.queue("default"), Allocation.UNLIMITED);
        start(1, (payload, run) -> Outcome.completed());
        store.add("{}", 3);
        await(() -> store.count(JobState.COMPLETED) == 1);
        assertThat(offer()).isNull();
    }

    @Test
    void aStoppedWorkerOffersNone() throws Exception {
        Engine engine = start(1, (payload, run) -> Outcome.completed());
        end(awaitOffers(1));
        engine.stop(Duration.ZERO);
        assertThat(offer()).isNull();
    }
}
