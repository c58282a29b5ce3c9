package dev.pawl.internal.lane;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TroubleTest {
    private final SQLException conflict = new SQLException("conflict", "40001");
    private final SQLException denied = new SQLException("denied", "42501");
    private final SQLException lost = new SQLException("lost", "08006");

    private final Trouble trouble = new Trouble();

    private void fail(SQLException error) throws SQLException {
        trouble.attempt(() -> {
            throw error;
        });
    }

    /** Regression: a permanent error, such as a missing permission, was neither logged nor thrown. */
    @Test
    void aPermanentErrorOfAPartIsThrownAtTheEnd() throws SQLException {
        fail(denied);
        trouble.attempt(() -> {});
        assertThatThrownBy(trouble::end).isSameAs(denied);
    }

    @Test
    void aTransientErrorIsThrownFirst() throws SQLException {
        fail(denied);
        fail(conflict);
        assertThatThrownBy(trouble::end).isSameAs(conflict).hasSuppressedException(denied);
    }

    /** Its caller logs it. */
    @Test
    void aPermanentErrorOfASingleJobIsNotThrown() {
        trouble.add(denied);
        assertThatCode(trouble::end).doesNotThrowAnyException();
    }

    @Test
    void anOutageIsThrownAtOnce() {
        assertThatThrownBy(() -> fail(lost)).isSameAs(lost);
    }
}
