package dev.pawl.internal.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
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
        assertThat(Fault.of(new SQLException("", "22021", 0))).isEqualTo(Fault.OTHER);
    }

    @Test
    void theCauseCountsWhereAPoolHasWrappedIt() {
        SQLException wrapped = new SQLException("pool", null, 0, new SQLException("", "40001", 1213));
        assertThat(Fault.of(wrapped)).isEqualTo(Fault.DEADLOCK);
    }
}
