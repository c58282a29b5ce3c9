package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultTest {
    @Test
    void vendorCodesWithoutAUsefulSqlStateAreKnown() {
        assertThat(Fault.of(new SQLException("", "HY000", 1205))).isEqualTo(Fault.LOCK_TIMEOUT);
        assertThat(Fault.of(new SQLException("", "HY000", 1180))).isEqualTo(Fault.SERIALIZATION);
        assertThat(Fault.of(new SQLException("", "40000", 3101))).isEqualTo(Fault.SERIALIZATION);
        assertThat(Fault.of(new SQLException("", "HY000", 1290))).isEqualTo(Fault.READ_ONLY);
        assertThat(Fault.of(new SQLException("", "40P01", 0))).isEqualTo(Fault.DEADLOCK);
        assertThat(Fault.of(new SQLException("", "57P01", 0))).isEqualTo(Fault.UNREACHABLE);
        assertThat(Fault.of(new SQLException("", "08006", 0))).isEqualTo(Fault.UNREACHABLE);
        assertThat(Fault.of(new SQLException("", "42501", 0))).isEqualTo(Fault.OTHER);
    }

    /** Regression: finished work was discarded under a statement timeout. */
    @Test
    void temporaryServerErrorsAreTransient() {
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
    void refusedDataArePermanentErrors() {
        assertThat(Fault.of(new SQLException("", "22021", 0)).isRefusal()).isTrue();
        assertThat(Fault.of(new SQLException("", "23514", 0)).isRefusal()).isTrue();
        assertThat(Fault.of(new SQLException("", "HY000", 1366)).isRefusal()).isTrue();
        assertThat(Fault.REFUSED.isTransient()).isFalse();
    }

    private static void requireAll(Fault fault, List<String> states, List<Integer> codes) {
        states.forEach(state ->
                assertThat(Fault.of(new SQLException("", state))).as(state).isEqualTo(fault));
        codes.forEach(code -> assertThat(Fault.of(new SQLException("", "HY000", code)))
                .as("%d", code)
                .isEqualTo(fault));
    }

    /** The server ends sessions that are idle, or in a transaction, for too long; it may stop or be disconnected. */
    @Test
    void connectionsEndedByTheServerAreReplaced() {
        requireAll(
                Fault.UNREACHABLE,
                List.of("08000", "08001", "08003", "08004", "08006", "08007", "08S01"),
                List.of(1042, 1043, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 2006, 2013, 3169, 4031));
        requireAll(
                Fault.UNREACHABLE,
                List.of("57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04", "53300"),
                List.of(1040, 1047, 1053, 1129, 1203, 1226, 3032, 3168));
        assertThat(Fault.UNREACHABLE.isOutage()).isTrue();
        assertThat(Fault.UNREACHABLE.isTransient()).isTrue();
    }

    /** Regression: the new connection was replaced too. */
    @Test
    void aConnectionThatTheDriverHasReplacedIsUsable() {
        assertThat(Fault.of(new SQLTransientConnectionException("", "25S03"))).isEqualTo(Fault.RECONNECTED);
        assertThat(Fault.RECONNECTED.isConnectionUseless()).isFalse();
        assertThat(Fault.RECONNECTED.isOutage()).isTrue();
        assertThat(Fault.RECONNECTED.isContention())
                .as("the transaction may have committed")
                .isFalse();
        assertThat(Fault.of(new SQLTransientConnectionException("", "28000"))).isEqualTo(Fault.UNREACHABLE);
    }

    /** Regression: errors of a MySQL 8.4 primary that applies its backlog, and of servers of other engines, were judged as unknown. */
    @Test
    void whatClustersDocumentAsWorthAnotherTryIsTransient() {
        requireAll(Fault.UNREACHABLE, List.of("40003"), List.of(3781, 3782, 3783));
        requireAll(Fault.SERIALIZATION, List.of("40001"), List.of(1180, 3101, 8002, 8005, 8022, 8028, 9007));
        requireAll(Fault.SHORTAGE, List.of("53400"), List.of(8027, 8229, 9001, 9002, 9003, 9004, 9005, 9008));
        requireAll(Fault.REFUSED, List.of(), List.of(8025));
    }

    /** Regression: the error was judged as unknown, so an enqueue was not retried, and a worker paused for seconds. */
    @Test
    void aMemberThatLeavesItsGroupIsUnreachable() {
        requireAll(Fault.UNREACHABLE, List.of(), List.of(3100));
    }

    /** TiDB and Vitess report a syntax error and a changed schema with the same code, so retries could go on for ever. */
    @Test
    void theCodeOfAnyErrorDecidesNothing() {
        assertThat(Fault.of(new SQLException("", "HY000", 1105))).isEqualTo(Fault.OTHER);
    }

    @Test
    void aReadOnlyServerIsAnOutage() {
        requireAll(Fault.READ_ONLY, List.of("25006"), List.of(1290, 1792, 1836));
        assertThat(Fault.READ_ONLY.isOutage()).isTrue();
        assertThat(Fault.READ_ONLY.isTransient()).isTrue();
    }

    /**
     * MariaDB's driver reports a packet that was too large and a closed connection with the same code, so the size is checked before a
     * statement is sent.
     */
    @Test
    void tooLargePacketsAreRefusedIfTheServerSaysSo() {
        assertThat(Fault.of(new SQLException("", "08000", 1220))).isEqualTo(Fault.UNREACHABLE);
        assertThat(Fault.of(new SQLException("", "08S01", 1153))).isEqualTo(Fault.REFUSED);
    }

    /** Every listed code is judged as listed, and a listed state overrides its class. */
    @Test
    void listedErrorsDecide() {
        FaultCodes.STATES.forEach((state, fault) ->
                assertThat(Fault.of(new SQLException("", state))).as(state).isEqualTo(fault));
        FaultCodes.MYSQL.forEach((code, fault) -> assertThat(Fault.of(new SQLException("", "08S01", code)))
                .as("%d", code)
                .isEqualTo(fault));
        FaultCodes.CLASSES.forEach((state, fault) -> assertThat(Fault.of(new SQLException("", state + "ZZZ")))
                .as(state)
                .isEqualTo(fault));
        assertThat(FaultCodes.STATES.values()).doesNotContain(Fault.OTHER);
        assertThat(FaultCodes.MYSQL.values()).doesNotContain(Fault.OTHER);
    }

    @Test
    void theCauseDecidesIfAPoolHasWrappedIt() {
        SQLException wrapped = new SQLException("pool", null, 0, new SQLException("", "40001", 1213));
        assertThat(Fault.of(wrapped)).isEqualTo(Fault.DEADLOCK);
    }
}
