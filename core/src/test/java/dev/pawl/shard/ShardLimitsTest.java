package dev.pawl.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.limit.Limit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardLimitsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void thePartsAreTheWhole() {
        Limit limit = Limit.queue("mail").atOnce(8).rate(100, MINUTE).maxWaiting(1_000);
        assertThat(ShardLimits.of(limit, 3))
                .containsExactly(
                        Limit.queue("mail").atOnce(3).rate(34, MINUTE).maxWaiting(334),
                        Limit.queue("mail").atOnce(3).rate(33, MINUTE).maxWaiting(333),
                        Limit.queue("mail").atOnce(2).rate(33, MINUTE).maxWaiting(333));
    }

    @Test
    void limitsOfEachKeyAreWholeOnEachShard() {
        assertThat(ShardLimits.of(Limit.keysOf("mail").atOnce(1).rate(5, MINUTE).together(7), 2))
                .isEqualTo(List.of(
                        Limit.keysOf("mail").atOnce(1).rate(5, MINUTE).together(4),
                        Limit.keysOf("mail").atOnce(1).rate(5, MINUTE).together(3)));
    }

    @Test
    void aLimitBelowTheNumberOfShardsIsRefused() {
        assertThatThrownBy(() -> ShardLimits.of(Limit.kind("send").atOnce(2), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("atOnce 2 of ")
                .hasMessageContaining("cannot be divided among 3 shards");
        assertThatThrownBy(() -> ShardLimits.of(Limit.kind("send").rate(2, MINUTE), 3))
                .hasMessageStartingWith("rate 2 of ");
    }
}
