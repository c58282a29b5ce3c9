package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.spi.RemoteRun;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AssignmentTokenTest {
    private static final Secret SECRET = new Secret("a-secret-of-the-test");
    private static final AssignmentToken TOKEN =
            new AssignmentToken(new RemoteRun(7, 12, "http://worker:1"), Duration.ofSeconds(90), "realm");

    @Test
    void containsEverythingAManagerNeeds() {
        assertThat(AssignmentToken.read(SECRET, 7, TOKEN.sign(SECRET))).isEqualTo(TOKEN);
    }

    /** The token consists of the lease token, the maximum run time, the realm, the worker and the signature. */
    @Test
    void detectsEveryChangedCharacter() {
        String good = TOKEN.sign(SECRET);
        for (int i = 0; i < good.length(); i++) {
            char other = good.charAt(i) == '1' ? '2' : '1';
            String forged = good.substring(0, i) + other + good.substring(i + 1);
            if (i == good.length() - 1) {
                continue; // contains bits that no byte of the signature uses
            }
            assertThat(AssignmentToken.read(SECRET, 7, forged)).as(forged).isNull();
        }
    }

    @Test
    void isInvalidForAnotherJobOrSecret() {
        String good = TOKEN.sign(SECRET);
        assertThat(AssignmentToken.read(SECRET, 8, good)).isNull();
        assertThat(AssignmentToken.read(new Secret("another-secret-here"), 7, good))
                .isNull();
        assertThat(AssignmentToken.read(SECRET, 7, "")).isNull();
        assertThat(AssignmentToken.read(SECRET, 7, "wrong")).isNull();
    }

    /** A worker has the difference between the two times to stop a run, so that no second run begins while the first is alive. */
    @Test
    void workersStopBeforeTheLeaseExpires() {
        LeaseTimes leaseTimes = new LeaseTimes(Duration.ofSeconds(5));
        assertThat(leaseTimes.promise()).isLessThanOrEqualTo(leaseTimes.lease().minus(leaseTimes.heartbeat()));
        assertThat(leaseTimes.promise()).isGreaterThan(leaseTimes.heartbeat());
    }
}
