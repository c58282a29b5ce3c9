package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HandlersTest {
    private final Handlers handlers = new Handlers(new EngineFixture.NoCodec());

    private void add(String kind) {
        handlers.encoded(kind, (payload, run) -> Outcome.completed(), HandlerOptions.DEFAULTS);
    }

    @Test
    void aKindHasOneHandler() {
        add("b");
        add("a");
        assertThat(handlers.kinds()).containsExactly("b", "a");
        assertThat(handlers.of("a")).isNotNull();
        assertThat(handlers.of("c")).isNull();
        assertThatThrownBy(() -> add("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a' has a handler already");
    }

    @Test
    void remoteKindsAreClaimedOnlyWhileTheyAreOpen() {
        add("here");
        assertThat(handlers.openKinds()).containsExactly("here");
        assertThat(handlers.anyRemote()).isFalse();
        AtomicBoolean open = new AtomicBoolean();
        handlers.remote("there", open::get, (payload, run) -> Optional.empty(), HandlerOptions.DEFAULTS);
        for (Handlers each : List.of(handlers, handlers.copy())) {
            assertThat(each.anyRemote()).isTrue();
            assertThat(each.isRemote("there")).isTrue();
            assertThat(each.isRemote("here")).isFalse();
            open.set(false);
            assertThat(each.openKinds()).containsExactly("here");
            open.set(true);
            assertThat(each.openKinds()).containsExactly("here", "there");
        }
    }

    @Test
    void aCopyIsNotChangedAnyMore() {
        add("a");
        Handlers copy = handlers.copy();
        add("b");
        assertThat(copy.kinds()).containsExactly("a");
        assertThat(copy.of("a")).isSameAs(handlers.of("a"));
    }
}
