package dev.pawl.internal.database.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class ListenSourceTest {
    /** A pool that is configured by URL, as DBCP 2 is. */
    public static final class Pool extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;
        private final int most;

        Pool(int most) {
            this.most = most;
        }

        /** {@return the maximum number of connections; -1 for no limit} */
        public int getMaxTotal() {
            return most;
        }
    }

    @Test
    void aSeparateConnectionIsOpenedOnlyForAPool() {
        assertThat(new ListenSource(new Pool(10)).borrows()).isFalse();
        assertThat(new ListenSource(new Pool(-1)).borrows()).as("unlimited").isFalse();
        assertThat(new ListenSource(new PGSimpleDataSource()).borrows())
                .as("it opens a new one each time anyway")
                .isTrue();
    }
}
