package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import org.junit.jupiter.api.Test;

class StrategiesTest {
    private final FakeStore store = new FakeStore();

    @Test
    void theStrategyOfAQueueOverridesTheDefault() throws Exception {
        Strategies strategies = new Strategies(store, Strategy.AUTO, false, settings -> {});
        store.set("a", "transactional");
        strategies.refresh();
        assertThat(strategies.of("a")).isSameAs(store.strategy(Strategy.TRANSACTIONAL));
        assertThat(strategies.of("b")).isSameAs(store.strategy(Strategy.AUTO));
    }

    @Test
    void theStrategyOfAWorkerOverridesAll() throws Exception {
        Strategies strategies = new Strategies(store, Strategy.SKIP_LOCKED, false, settings -> {});
        store.set("a", "transactional");
        strategies.refresh();
        assertThat(strategies.of("a")).isSameAs(store.strategy(Strategy.SKIP_LOCKED));
    }

    @Test
    void settingsAreNotReadForEveryClaim() throws Exception {
        Strategies strategies = new Strategies(store, Strategy.AUTO, false, settings -> {});
        strategies.refresh();
        strategies.refresh();
        assertThat(store.calls("settings")).isEqualTo(1);
    }

    /** A newer program may have set them. */
    @Test
    void unknownAndUnsupportedStrategiesAreIgnored() throws Exception {
        Strategies strategies = new Strategies(store, Strategy.AUTO, false, settings -> {});
        store.set("a", "by-telepathy");
        store.set("b", Strategy.PESSIMISTIC.toString());
        strategies.refresh();
        assertThat(strategies.of("a")).isSameAs(store.strategy(Strategy.AUTO));
        assertThat(strategies.of("b")).isSameAs(store.strategy(Strategy.AUTO));
    }

    /** No transaction may be open around handed-off runs, because nothing would close it. */
    @Test
    void handedOffRunsAreNotClaimedInATransaction() throws Exception {
        Strategies strategies = new Strategies(store, Strategy.AUTO, true, settings -> {});
        store.set("a", "transactional");
        store.set("b", Strategy.SKIP_LOCKED.toString());
        strategies.refresh();
        assertThat(strategies.of("a")).isSameAs(store.strategy(Strategy.AUTO));
        assertThat(strategies.of("b")).isSameAs(store.strategy(Strategy.SKIP_LOCKED));
    }

    @Test
    void anUnsupportedStrategyOfTheWorkerIsAnError() {
        assertThatThrownBy(() -> new Strategies(store, Strategy.PESSIMISTIC, false, settings -> {}))
                .isInstanceOf(SchemaException.class);
    }

    @Test
    void everyStrategyThatWasUsedIsTidied() throws Exception {
        Strategies strategies = new Strategies(store, Strategy.AUTO, false, settings -> {});
        store.set("a", "transactional");
        strategies.refresh();
        strategies.tidy();
        assertThat(store.calls("tidy")).isEqualTo(2);
        assertThat(strategies.lost()).isEqualTo(2);
    }
}
