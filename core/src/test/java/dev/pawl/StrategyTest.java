package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.Strategy;
import java.util.List;
import org.junit.jupiter.api.Test;

class StrategyTest {
    @Test
    void formattedStrategiesCanBeParsed() {
        for (Strategy strategy : List.of(
                Strategy.AUTO,
                Strategy.SKIP_LOCKED,
                Strategy.IMMEDIATE,
                Strategy.TRANSACTIONAL,
                Strategy.PESSIMISTIC,
                new Strategy.Pessimistic(0, true),
                Strategy.optimistic(7, Strategy.Pick.EXPONENTIAL),
                Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.FIRST))) {
            assertThat(Strategy.parse(strategy.toString())).isEqualTo(strategy);
        }
        assertThat(Strategy.parse("pessimistic")).isEqualTo(Strategy.PESSIMISTIC);
        assertThat(Strategy.parse("optimistic"))
                .isEqualTo(Strategy.optimistic(Strategy.Optimistic.FOLLOW_WORKERS, Strategy.Pick.UNIFORM));
    }

    @Test
    void invalidStrategiesAreRefusedWithAReason() {
        for (String wrong : List.of(
                "",
                "fast",
                "skip-locked:batch=7",
                "optimistic:window",
                "optimistic:window=-1",
                "optimistic:window=3,window=4",
                "optimistic:pick=last",
                "pessimistic:delete-retry=101",
                "pessimistic:delete-mark=maybe")) {
            assertThatThrownBy(() -> Strategy.parse(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not valid");
        }
    }
}
