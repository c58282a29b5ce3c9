package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultTest {
    @Test
    void codesThatSqlStateDoesNotTellAreKnown() {
        assertThat(Fault.of(new SQLException("", "HY000", 1205))).isEqualTo(Fault.LOCK_TIMEOUT);
        assertThat(Fault.of(new SQLException("", "HY000", 1180))).isEqualTo(Fault.SERIALIZATION);
        assertThat(Fault.of(new SQLException("", "40000", 3101))).isEqualTo(Fault.SERIALIZATION);
        assertThat(Fault.of(new SQLException("", "HY000", 1290))).isEqualTo(Fault.UNREACHABLE);
        assertThat(Fault.of(new SQLException("", "40P01", 0))).isEqualTo(Fault.DEADLOCK);
        assertThat(Fault.of(new SQLException("", "57P01", 0))).isEqualTo(Fault.UNREACHABLE);
        assertThat(Fault.of(new SQLException("", "08006", 0))).isEqualTo(Fault.UNREACHABLE);
        assertThat(Fault.of(new SQLException("", "42501", 0))).isEqualTo(Fault.OTHER);
    }

    /** Found as finished work that was thrown away under a statement timeout. */
    @Test
    void aServerThatCannotDoItNowMayDoItLater() {
        for (String state : List.of("57014", "53100", "53200", "58030")) {
            assertThat(Fault.of(new SQLException("", state, 0))).as(state).isEqualTo(Fault.SHORTAGE);
        }
        for (int code : List.of(1021, 1114, 1317, 1969, 3024)) {
            assertThat(Fault.of(new SQLException("", "HY000", code)))
                    .as("%d", code)
                    .isEqualTo(Fault.SHORTAGE);
        }
        assertThat(Fault.SHORTAGE.isTransient()).isTrue();
    }

    @Test
    void dataThatAreRefusedAreRefusedForEver() {
        assertThat(Fault.of(new SQLException("", "22021", 0)).isRefusal()).isTrue();
        assertThat(Fault.of(new SQLException("", "23514", 0)).isRefusal()).isTrue();
        assertThat(Fault.of(new SQLException("", "HY000", 1366)).isRefusal()).isTrue();
        assertThat(Fault.REFUSED.isTransient()).isFalse();
    }

    @Test
    void theCauseCountsWhereAPoolHasWrappedIt() {
        SQLException wrapped = new SQLException("pool", null, 0, new SQLException("", "40001", 1213));
        assertThat(Fault.of(wrapped)).isEqualTo(Fault.DEADLOCK);
    }
}
