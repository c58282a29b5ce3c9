package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SearchRestTest {
    private long nowNanos;
    private final SearchRest rest = new SearchRest(() -> nowNanos);

    private void after(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void aQuickSearchIsRepeatedAtOnce() {
        assertThat(rest.isOver()).isTrue();
        rest.searched(TimeUnit.MILLISECONDS.toNanos(19));
        assertThat(rest.isOver()).isTrue();
    }

    @Test
    void aSlowSearchRestsInProportionAndTenSecondsAtMost() {
        rest.searched(TimeUnit.MILLISECONDS.toNanos(40));
        after(1_999);
        assertThat(rest.isOver()).isFalse();
        after(1);
        assertThat(rest.isOver()).isTrue();
        rest.searched(TimeUnit.SECONDS.toNanos(3));
        after(9_999);
        assertThat(rest.isOver()).isFalse();
        after(1);
        assertThat(rest.isOver()).isTrue();
    }
}
