package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TroubleTest {
    private static final SQLException CONFLICT = new SQLException("conflict", "40001");
    private static final SQLException DENIED = new SQLException("denied", "42501");
    private static final SQLException LOST = new SQLException("lost", "08006");

    private final Trouble trouble = new Trouble();

    private void fail(SQLException error) throws SQLException {
        trouble.attempt(() -> {
            throw error;
        });
    }

    /** Regression: a permanent error, such as a missing permission, was neither logged nor thrown. */
    @Test
    void aPermanentErrorOfAPartIsThrownAtTheEnd() throws SQLException {
        fail(DENIED);
        trouble.attempt(() -> {});
        assertThatThrownBy(trouble::end).isSameAs(DENIED);
    }

    @Test
    void aTransientErrorIsThrownFirst() throws SQLException {
        fail(DENIED);
        fail(CONFLICT);
        assertThatThrownBy(trouble::end).isSameAs(CONFLICT).hasSuppressedException(DENIED);
    }

    /** Its caller logs it. */
    @Test
    void aPermanentErrorOfASingleJobIsNotThrown() {
        trouble.add(DENIED);
        assertThatCode(trouble::end).doesNotThrowAnyException();
    }

    @Test
    void anOutageIsThrownAtOnce() {
        assertThatThrownBy(() -> fail(LOST)).isSameAs(LOST);
    }
}
