package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.EnqueueOptions;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a worker asks before it sleeps: {@link SleepContract} tells what comes of it. */
interface UpcomingMomentContract extends Contract {
    private Optional<Duration> next() throws SQLException {
        return next(List.of("default"));
    }

    private Optional<Duration> next(List<String> keyed) throws SQLException {
        return new UpcomingMoment(fixture().database)
                .until(List.of("default", "other"), List.of("greet", "wave"), keyed, List.of());
    }

    private void assertAbout(Duration expected) throws SQLException {
        assertThat(next().orElseThrow()).isBetween(expected.minusSeconds(30), expected);
    }

    @Test
    default void whereNothingWaitsThereIsNoMoment() throws Exception {
        assertThat(next()).isEmpty();
        fixture().enqueue(EnqueueOptions.DEFAULTS.queue("elsewhere"));
        assertThat(next()).as("of a queue that is not its own").isEmpty();
    }

    @Test
    default void theEarliestJobCounts() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(3)));
        assertAbout(Duration.ofHours(3));
        fixture().enqueue(EnqueueOptions.DEFAULTS.queue("other").delay(Duration.ofHours(2)));
        assertAbout(Duration.ofHours(2));
        fixture().admin.pause("other");
        assertAbout(Duration.ofHours(3));
        fixture().enqueue(EnqueueOptions.DEFAULTS);
        assertThat(next().orElseThrow()).isLessThanOrEqualTo(Duration.ZERO);
    }

    @Test
    default void leasesOfOthersCount() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS);
        assertThat(fixture().claim(1, Duration.ofMinutes(10))).hasSize(1);
        assertThat(next().orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(10));
    }

    @Test
    default void holdsAndTicksCount() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS);
        fixture().queue.limits().hold(Subject.queue("default"), Duration.ofHours(1), "by hand");
        assertAbout(Duration.ofHours(1));
        assertThat(fixture().queue.schedules().add(Schedule.of("tick", GREET, "x", Recurrence.parse("every PT20M"))))
                .isTrue();
        assertThat(next().orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(20));
    }

    @Test
    default void parkedJobsThatAreNotDueCount() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS.key("k").delay(Duration.ofHours(4)));
        assertAbout(Duration.ofHours(4));
        for (List<String> notIts : List.of(List.of("other"), List.<String>of())) {
            assertThat(next(notIts).orElseThrow())
                    .as("until it is let go, its row waits for ever")
                    .isGreaterThan(Duration.ofDays(10_000));
        }
    }
}
