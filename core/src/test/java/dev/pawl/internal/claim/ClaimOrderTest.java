package dev.pawl.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Grant;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClaimOrderTest {
    private static Grant grant(int priority, int due, long id) {
        return new Grant(Job.builder(id, "greet", "default")
                .priority(priority)
                .availableAt(Instant.ofEpochSecond(due))
                .leaseToken(1)
                .build());
    }

    /** Jobs that are enqueued together are due at the same time. */
    @Test
    void firstByPriorityThenByWhenTheyWereDueThenById() {
        List<Grant> order = List.of(
                grant(-1, 9, 7), grant(0, 1, 6), grant(0, 2, 3), grant(0, 2, 4), grant(0, 2, 5), grant(1, 0, 1));
        for (int seed = 0; seed < 20; seed++) {
            List<Grant> claimed = new ArrayList<>(order);
            Collections.shuffle(claimed, new Random(seed));
            assertThat(ClaimOrder.sort(claimed)).isEqualTo(order);
        }
    }
}
