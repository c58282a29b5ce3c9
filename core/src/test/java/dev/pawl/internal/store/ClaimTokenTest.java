package dev.pawl.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimTokenTest {
    private static final long EXACT_IN_A_DOUBLE = 1L << 53;

    @Test
    void tokensOfClaimsDiffer() {
        Set<Long> drawn = new HashSet<>();
        for (int claim = 0; claim < 10_000; claim++) {
            assertThat(drawn.add(ClaimToken.draw())).isTrue();
        }
    }

    @Test
    void aTokenGrowsWithEachClaim() {
        long most = ClaimToken.after(0, (1L << 33) - 1);
        long least = 1L << 32;
        for (long before : new long[] {0, 1, 7, most, most + 1, least, ClaimToken.draw()}) {
            assertThat(ClaimToken.after(before, least)).isGreaterThan(before);
            assertThat(ClaimToken.after(before, (1L << 33) - 1)).isGreaterThan(before);
        }
    }

    @Test
    void concurrentClaimsHaveDifferentTokens() {
        long lost = ClaimToken.after(5L << 32, ClaimToken.draw());
        assertThat(ClaimToken.after(5L << 32, ClaimToken.draw())).isNotEqualTo(lost);
    }

    @Test
    void doublesHoldTokensOfTwoMillionClaimsExactly() {
        long token = 0;
        for (int claim = 0; claim < 2_000_000; claim++) {
            token = ClaimToken.after(token, ClaimToken.draw());
        }
        assertThat(token).isLessThan(EXACT_IN_A_DOUBLE);
    }

    @Test
    void startedLeasesAreFoundByIdAndToken() {
        long token = ClaimToken.draw();
        String json = StartedLeases.encode(List.of(new Lease(3, token), new Lease(4, token), new Lease(9, 7)));
        assertThat(json).isEqualTo("[[7,9],[" + token + ",3,4]]");
        List<Lease> started = List.of(new Lease(3, token), new Lease(4, token));
        assertThat(StartedLeases.among(json, started)).containsExactlyInAnyOrderElementsOf(started);
        assertThat(StartedLeases.among(json, List.of(new Lease(9, token), new Lease(3, 7))))
                .isEmpty();
    }
}
