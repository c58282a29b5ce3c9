package dev.pawl.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseSizeTest {
    private final ReleaseSize size = new ReleaseSize(1_000);

    @Test
    void releasesGrowWhileNoKeyIsCutShort() {
        for (int release = 0; release < 10; release++) {
            size.taken(size.keys() / 2, 0); // one of two parallel transactions
        }
        assertThat(size.keys()).isEqualTo(1_000);
    }

    @Test
    void releasesShrinkWhenManyKeysAreCutShort() {
        releasesGrowWhileNoKeyIsCutShort();
        size.taken(500, 200);
        assertThat(size.keys()).isEqualTo(250);
        size.taken(125, 125);
        assertThat(size.keys()).isEqualTo(100);
    }

    @Test
    void aReleaseOfFewKeysChangesNothing() {
        releasesGrowWhileNoKeyIsCutShort();
        size.taken(1, 1);
        size.taken(49, 49);
        size.taken(300, 10);
        assertThat(size.keys()).isEqualTo(1_000);
    }

    @Test
    void theSizeNeverExceedsTheMaximum() {
        ReleaseSize few = new ReleaseSize(100);
        few.taken(100, 0);
        assertThat(few.keys()).isEqualTo(100);
        few.taken(100, 100);
        assertThat(few.keys()).isEqualTo(100);
    }
}
