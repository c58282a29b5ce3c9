package dev.pawl.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The order in which the sources of a reservation's duration are tried. */
class SlotTtlTest {
    private static final Duration OWN = Duration.ofSeconds(11);
    private static final Duration TIMEOUT = Duration.ofSeconds(22);
    private static final Duration DEADLINE = Duration.ofSeconds(33);
    private static final Duration FALLBACK = Duration.ofSeconds(44);

    private static final SlotTtl NONE = SlotTtl.DEFAULT.fallback(FALLBACK);

    @Test
    void ttlPrecedesTimeoutDeadlineAndDefault() {
        SlotTtl deadline = NONE.deadline(job -> DEADLINE);
        assertThat(deadline.own(OWN).of(new Run(TIMEOUT))).isEqualTo(OWN);
        assertThat(deadline.of(new Run(TIMEOUT))).isEqualTo(TIMEOUT);
        assertThat(deadline.of(new Run(null))).isEqualTo(DEADLINE);
        assertThat(NONE.of(new Run(null))).isEqualTo(FALLBACK);
        assertThat(deadline.of(null)).as("without a job").isEqualTo(FALLBACK);
    }

    @Test
    void computedDurationsAreClampedToASecondAndADay() {
        assertThat(NONE.deadline(job -> Duration.ofSeconds(-5)).of(new Run(null)))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(NONE.of(new Run(Duration.ofDays(400)))).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void endTimeAndTtlReplaceEachOther() {
        java.time.Instant moment = java.time.Instant.EPOCH;
        assertThat(NONE.own(OWN).until(moment).own()).isNull();
        assertThat(NONE.until(moment).own(OWN).until()).isNull();
    }

    private record Run(@Nullable Duration left) implements JobRun {
        @Override
        public Optional<Duration> timeLeft() {
            return Optional.ofNullable(left);
        }

        @Override
        public Job job() {
            return Job.builder(1, "kind", "queue").build();
        }

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public boolean isLastAttempt() {
            return false;
        }

        @Override
        public long leaseToken() {
            return 1;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void progress(int percent) {}

        @Override
        public void log(String line) {}

        @Override
        public void transaction(TransactionWork work) {}

        @Override
        public void assignedTo(String worker) {}
    }
}
