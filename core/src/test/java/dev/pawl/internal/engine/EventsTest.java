package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

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
                        told::add),
                new EventLog());
        WorkerEvent event = new WorkerEvent.Started(job);
        events.publish(event);
        assertThat(told).containsExactly(event, event);
    }

    /** A failing log, and a listener whose error cannot even be logged. */
    @Test
    void aFailingListenerAndAFailingLogEndNoThread() {
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
                        told::add),
                new EventLog());
        events.publish(new WorkerEvent.Failed(job, "boom", Duration.ofSeconds(Long.MAX_VALUE)));
        assertThat(told).hasSize(1);
    }

    private static EventLog log(List<String> logged, boolean[] debug) {
        return new EventLog(logger(logged, debug), System::nanoTime);
    }

    static Logger logger(List<String> logged, boolean[] debug) {
        return (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isDebugEnabled")) {
                        return debug[0];
                    }
                    Object[] values = arguments.length == 2 && arguments[1] instanceof Object[] several
                            ? several
                            : Arrays.copyOfRange(arguments, 1, arguments.length);
                    logged.add(method.getName() + ": "
                            + MessageFormatter.arrayFormat((String) arguments[0], values)
                                    .getMessage());
                    return null;
                });
    }

    /** For example, a chunk fails, or leases expire in an outage. */
    @Test
    void eventsWithTheSameCauseShareOneLine() {
        List<String> logged = new ArrayList<>();
        Events events = new Events(counters, List.of(told::add), log(logged, new boolean[] {false}));
        List<WorkerEvent> all = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            all.add(new WorkerEvent.Failed(job, "boom\n\tat line 1", Duration.ofSeconds(7 + n % 2)));
            all.add(new WorkerEvent.Completed(job));
            all.add(new WorkerEvent.LeaseLost(job));
            all.add(new WorkerEvent.Discarded(job, "no attempt is left", "boom"));
        }
        all.add(new WorkerEvent.Failed(job, "another", Duration.ofSeconds(7)));
        events.publish(all);
        assertThat(logged)
                .containsExactly(
                        "warn: jobs 1, 1, 1, 1, 1 and 95 more (greet) failed on attempt 2 of 20, next attempt in 7 s to 8 s: boom\n\tat line 1",
                        "warn: jobs 1, 1, 1, 1, 1 and 95 more (greet): their leases were lost, so the outcomes of these runs do"
                                + " not count",
                        "error: jobs 1, 1, 1, 1, 1 and 95 more (greet) were discarded: no attempt is left: boom",
                        "warn: job 1 (greet) failed on attempt 2 of 20, next attempt in 7 s: another");
        assertThat(told).as("listeners hear of each").isEqualTo(all);
        assertThat(counters.leasesLost.sum()).isEqualTo(100);
    }

    /** As quoted in docs/reference/troubleshooting.md. */
    @Test
    void eventsAreLoggedAtTheLevelOfTheirSeverity() {
        boolean[] debug = {true};
        List<String> logged = new ArrayList<>();
        Events events = new Events(counters, List.of(), log(logged, debug));
        events.publish(new WorkerEvent.Failed(job, "boom\n\tat line 1", Duration.ofSeconds(7)));
        events.publish(new WorkerEvent.Discarded(job, "no attempt is left", "boom\n\tat line 1"));
        events.publish(new WorkerEvent.LeaseLost(job));
        events.publish(new WorkerEvent.Completed(job));
        debug[0] = false;
        events.publish(new WorkerEvent.Completed(job));
        assertThat(logged)
                .containsExactly(
                        "warn: job 1 (greet) failed on attempt 2 of 20, next attempt in 7 s: boom\n\tat line 1",
                        "error: job 1 (greet) was discarded: no attempt is left: boom",
                        "warn: job 1 (greet): the lease was lost, so the outcome of this run does not count",
                        "debug: job 1 (greet): Completed");
    }

    @Test
    void eachEndOfAJobIsCounted() {
        Events events = new Events(counters, List.of(), new EventLog());
        events.publish(new WorkerEvent.Started(job));
        events.publish(new WorkerEvent.Completed(job));
        events.publish(new WorkerEvent.Failed(job, "boom", Duration.ZERO));
        events.publish(new WorkerEvent.Snoozed(job, Duration.ZERO));
        events.publish(new WorkerEvent.Cancelled(job, "why"));
        events.publish(new WorkerEvent.Discarded(job, "why", "boom"));
        events.publish(new WorkerEvent.LeaseLost(job));
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
