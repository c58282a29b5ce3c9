package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private final Capacity capacity = new Capacity();

    @BeforeEach
    void report() {
        capacity.reported(2, OptionalInt.of(0));
    }

    @Test
    void aFullWorkerGetsNoOfferUntilItsStateIsPolled() {
        capacity.offer();
        capacity.refused();
        capacity.answered(false);
        assertThat(capacity.free()).isZero();
        capacity.reported(2, OptionalInt.of(1));
        assertThat(capacity.free()).isEqualTo(1);
    }

    @Test
    void aFullWorkerGetsOffersAgainWhenAJobHasEnded() {
        capacity.offer();
        capacity.answered(true);
        capacity.refused();
        capacity.ended();
        assertThat(capacity.free()).isEqualTo(2);
    }

    /** Otherwise a worker of two managers would be idle until the next poll. */
    @Test
    void aFullWorkerGetsOffersAgainWhenItHasAnsweredWithAnOutcome() {
        capacity.offer();
        capacity.refused();
        capacity.done();
        capacity.answered(false);
        assertThat(capacity.free()).isEqualTo(2);
    }
}
