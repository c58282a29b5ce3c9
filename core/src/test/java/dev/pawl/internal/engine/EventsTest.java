package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Job;
import dev.pawl.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventsTest {
    private final Job job = PartsFixture.job(2, 20);
    private final Counters counters = new Counters();
    private final List<WorkerEvent> told = new ArrayList<>();

    @Test
    void everyListenerHearsOfEveryEventThoughOthersFail() {
        Events events = new Events(
                counters,
                List.of(
                        told::add,
                        event -> {
                            throw new StackOverflowError();
                        },
                        told::add));
        WorkerEvent event = new WorkerEvent.Started(job);
        events.tell(event);
        assertThat(told).containsExactly(event, event);
    }

    /** A failing log, and a listener whose error cannot even be logged. */
    @Test
    void whatCannotBeToldEndsNoThread() {
        Events events = new Events(
                counters,
                List.of(
                        event -> {
                            throw new IllegalStateException() {
                                private static final long serialVersionUID = 1L;

                                @Override
                                public String getMessage() {
                                    throw new StackOverflowError();
                                }
                            };
                        },
                        told::add));
        events.tell(new WorkerEvent.Failed(job, "boom", Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(told).hasSize(1);
    }

    @Test
    void eachEndOfAJobIsCounted() {
        Events events = new Events(counters, List.of());
        events.tell(new WorkerEvent.Started(job));
        events.tell(new WorkerEvent.Completed(job));
        events.tell(new WorkerEvent.Failed(job, "boom", Duration.ZERO));
        events.tell(new WorkerEvent.Snoozed(job, Duration.ZERO));
        events.tell(new WorkerEvent.Cancelled(job, "why"));
        events.tell(new WorkerEvent.Discarded(job, "why", "boom"));
        events.tell(new WorkerEvent.LeaseLost(job));
        events.released();
        assertThat(List.of(
                        counters.completed,
                        counters.failed,
                        counters.snoozed,
                        counters.cancelled,
                        counters.discarded,
                        counters.leasesLost,
                        counters.released))
                .allSatisfy(count -> assertThat(count.sum()).isEqualTo(1));
    }
}
