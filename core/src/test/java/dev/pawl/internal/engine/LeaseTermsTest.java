package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTermsTest {
    private static final long LENGTH = Duration.ofSeconds(8).toNanos();
    private final LeaseTerms terms = new LeaseTerms(Duration.ofNanos(LENGTH));

    @Test
    void aLeaseLastsFromTheMomentItWasAskedFor() {
        assertThat(terms.endOf(5)).isEqualTo(5 + LENGTH);
        assertThat(terms.momentFrom(5)).isEqualTo(5 + LENGTH / 2);
    }

    @Test
    void renewalsAreDueAfterAQuarterOfALeaseAndMissingRowsOverdueAfterAWholeOne() {
        assertThat(terms.isRenewalDue(LENGTH / 4 - 1)).isFalse();
        assertThat(terms.isRenewalDue(LENGTH / 4)).isTrue();
        assertThat(terms.isOverdue(LENGTH - 1)).isFalse();
        assertThat(terms.isOverdue(LENGTH)).isTrue();
    }

    @Test
    void aTransactionIsGivenUpAfterTwoLeasesInSilence() {
        assertThat(terms.isTransactionDead(2 * LENGTH - 1)).isFalse();
        assertThat(terms.isTransactionDead(2 * LENGTH)).isTrue();
    }

    @Test
    void aCallMayTakeAQuarterOfItAndNeverLessThanASecond() {
        assertThat(terms.longestCall()).isEqualTo(Duration.ofSeconds(2));
        assertThat(new LeaseTerms(Duration.ofSeconds(3)).longestCall()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void leasesAreCheckedEightTimesAndAtLeastFourTimesASecond() {
        assertThat(new LeaseTerms(Duration.ofMillis(800)).checkInterval()).isEqualTo(Duration.ofMillis(100));
        assertThat(new LeaseTerms(Duration.ofSeconds(2)).checkInterval()).isEqualTo(Duration.ofMillis(250));
        assertThat(terms.checkInterval()).isEqualTo(Duration.ofMillis(250));
    }
}
