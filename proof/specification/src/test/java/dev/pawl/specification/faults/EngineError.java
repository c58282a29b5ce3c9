package dev.pawl.specification.faults;

import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Documented errors of engines that cannot run here, with what Pawl does after them. The table of codes in {@code docs/inside/engines.md}
 * lists the same errors.
 */
public enum EngineError {
    COCKROACH_RETRY(
            "CockroachDB",
            "40001",
            "restart transaction: TransactionRetryWithProtoRefreshError: WriteTooOldError",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    COCKROACH_AMBIGUOUS(
            "CockroachDB",
            "40003",
            "result is ambiguous: error=rpc error: code = Unavailable desc = transport is closing [exhausted]",
            Meaning.RECONNECT,
            Trait.ONLY_AT_COMMIT,
            Trait.UNKNOWN),
    YUGABYTE_CONFLICT(
            "YugabyteDB",
            "40001",
            "could not serialize access due to concurrent update",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    YUGABYTE_DEADLOCK("YugabyteDB", "40P01", "deadlock detected", Meaning.AGAIN),
    YUGABYTE_IDLE(
            "YugabyteDB",
            "25P03",
            "terminating connection due to idle-in-transaction timeout",
            Meaning.RECONNECT,
            Trait.ENDS_SESSION),
    YUGABYTE_READ_ONLY("YugabyteDB", "25006", "cannot execute UPDATE in a read-only transaction", Meaning.RECONNECT),
    YUGABYTE_FAILED(
            "YugabyteDB",
            "25P02",
            "current transaction is aborted, commands ignored until end of transaction block",
            Meaning.ERROR),
    CITUS_DEADLOCK(
            "Citus",
            "40P01",
            "canceling the transaction since it was involved in a distributed deadlock",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    DSQL_CONFLICT(
            "Aurora DSQL",
            "40001",
            "change conflicts with another transaction, please retry: (OC000)",
            Meaning.AGAIN,
            Trait.ONLY_AT_COMMIT),
    DSQL_SCHEMA(
            "Aurora DSQL",
            "40001",
            "schema has been updated by another transaction, please retry: (OC001)",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    DSQL_CONNECTIONS(
            "Aurora DSQL",
            "53300",
            "unable to accept connection, too many open connections",
            Meaning.RECONNECT,
            Trait.ENDS_SESSION),
    DSQL_RATE("Aurora DSQL", "53400", "unable to accept connection, rate exceeded", Meaning.LATER),
    DSQL_STORAGE("Aurora DSQL", "53100", "storage limit exceeded", Meaning.LATER, Trait.AT_COMMIT),
    DSQL_SIZE("Aurora DSQL", "54000", "transaction size limit exceeded", Meaning.REFUSED, Trait.AT_COMMIT),
    TIDB_FOR_UPDATE("TiDB", 8002, "can not retry select for update statement", Meaning.AGAIN, Trait.ONLY_AT_COMMIT),
    TIDB_STALE("TiDB", 8005, "Write Conflict, txnStartTS is stale", Meaning.AGAIN, Trait.ONLY_AT_COMMIT),
    TIDB_SAFE("TiDB", 8022, "KV error safe to retry [try again later]", Meaning.AGAIN, Trait.ONLY_AT_COMMIT),
    TIDB_SCHEMA(
            "TiDB",
            8028,
            "Information schema is changed during the execution of the statement [try again later]",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    TIDB_CONFLICT("TiDB", 9007, "Write conflict, txnStartTS=1 [try again later]", Meaning.AGAIN, Trait.AT_COMMIT),
    TIDB_OLD_SCHEMA("TiDB", 8027, "Information schema is out of date", Meaning.LATER, Trait.AT_COMMIT),
    TIDB_TOO_LONG("TiDB", 8229, "The transaction exceeds the TTL time", Meaning.LATER, Trait.AT_COMMIT),
    TIDB_PD("TiDB", 9001, "PD server timeout", Meaning.LATER, Trait.AT_COMMIT, Trait.UNKNOWN),
    TIDB_TIKV("TiDB", 9002, "TiKV server timeout", Meaning.LATER, Trait.AT_COMMIT, Trait.UNKNOWN),
    TIDB_BUSY("TiDB", 9003, "TiKV server is busy", Meaning.LATER, Trait.UNDOES_STATEMENT),
    TIDB_LOCK("TiDB", 9004, "Resolve lock timeout", Meaning.LATER, Trait.UNDOES_STATEMENT),
    TIDB_REGION(
            "TiDB",
            9005,
            "Region is unavailable",
            Meaning.LATER,
            Trait.UNDOES_STATEMENT,
            Trait.AT_COMMIT,
            Trait.UNKNOWN),
    TIDB_RAFT("TiDB", 9008, "Too many requests to the PD or TiKV server", Meaning.LATER, Trait.UNDOES_STATEMENT),
    TIDB_SIZE("TiDB", 8025, "entry too large, the max entry size is 6291456", Meaning.REFUSED, Trait.UNDOES_STATEMENT),
    TIDB_ANY("TiDB", 1105, "Information schema is changed", Meaning.ERROR, Trait.AT_COMMIT),
    TIDB_UNDETERMINED(
            "TiDB",
            "08S01",
            "Communications link failure (execution result undetermined)",
            Meaning.RECONNECT,
            Trait.ONLY_AT_COMMIT,
            Trait.ENDS_SESSION,
            Trait.UNKNOWN),
    VITESS_ANY(
            "Vitess",
            1105,
            "target: jobs.-.primary: primary is not serving",
            Meaning.ERROR,
            Trait.AT_COMMIT,
            Trait.UNKNOWN),
    VITESS_ENDED(
            "Vitess", 1317, "transaction ended (exceeded timeout: 30s)", Meaning.LATER, Trait.AT_COMMIT, Trait.UNKNOWN),
    VITESS_THROTTLED("Vitess", 1041, "Transaction throttled", Meaning.LATER, Trait.UNDOES_STATEMENT),
    VITESS_POOL("Vitess", 1203, "transaction pool connection limit exceeded", Meaning.RECONNECT),
    VITESS_AWAY("Vitess", 3168, "server is not available", Meaning.RECONNECT, Trait.AT_COMMIT, Trait.UNKNOWN),
    GALERA_CONFLICT(
            "Galera",
            1213,
            "Deadlock found when trying to get lock; try restarting transaction",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    GALERA_NOT_READY(
            "Galera", 1047, "WSREP has not yet prepared node for application use", Meaning.RECONNECT, Trait.AT_COMMIT),
    GALERA_LOST(
            "Galera",
            "08S01",
            "Communications link failure",
            Meaning.RECONNECT,
            Trait.AT_COMMIT,
            Trait.ENDS_SESSION,
            Trait.UNKNOWN),
    GALERA_RECONNECTED(
            "Galera",
            "25S03",
            "Driver has reconnect connection after a communications link failure",
            Meaning.RECONNECTED,
            Trait.AT_COMMIT,
            Trait.UNKNOWN),
    GROUP_HOOK(
            "Group Replication",
            3101,
            "Plugin instructed the server to rollback the current transaction.",
            Meaning.AGAIN,
            Trait.ONLY_AT_COMMIT),
    GROUP_COMMIT(
            "Group Replication",
            1180,
            "Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT",
            Meaning.AGAIN,
            Trait.ONLY_AT_COMMIT),
    GROUP_DEADLOCK(
            "Group Replication",
            1213,
            "Deadlock found when trying to get lock; try restarting transaction",
            Meaning.AGAIN,
            Trait.AT_COMMIT),
    GROUP_LEFT(
            "Group Replication",
            3100,
            "Error on observer while running replication hook 'before_commit'.",
            Meaning.RECONNECT,
            Trait.ONLY_AT_COMMIT,
            Trait.UNKNOWN),
    GROUP_TIMEOUT(
            "Group Replication", 3781, "Error while waiting for the apply of the backlog: timeout", Meaning.RECONNECT),
    GROUP_STOPPED(
            "Group Replication",
            3782,
            "Error while waiting for the apply of the backlog: the plugin is stopping",
            Meaning.RECONNECT),
    GROUP_FAILED(
            "Group Replication",
            3783,
            "Error while waiting for the apply of the backlog: the member is in error state",
            Meaning.RECONNECT);

    /** The drivers whose servers are tested. */
    public enum Driver {
        POSTGRES,
        MYSQL
    }

    /** What Pawl does after an error, in the words of {@code docs/inside/engines.md}. */
    enum Meaning {
        AGAIN("tries again"),
        RECONNECT("tries again with a new connection"),
        RECONNECTED("tries again on the connection that the driver has replaced"),
        LATER("tries again later"),
        REFUSED("refuses the data"),
        ERROR("an error");

        final String words;

        Meaning(String words) {
            this.words = words;
        }

        static Meaning of(SQLException error) {
            dev.pawl.internal.jdbc.Fault fault = dev.pawl.internal.jdbc.Fault.of(error);
            if (fault.isContention()) {
                return AGAIN;
            } else if (fault == dev.pawl.internal.jdbc.Fault.RECONNECTED) {
                return RECONNECTED;
            } else if (fault.isOutage()) {
                return RECONNECT;
            } else if (fault.isTransient()) {
                return LATER;
            }
            return fault.isRefusal() ? REFUSED : ERROR;
        }

        boolean isTransient() {
            return this == AGAIN || this == RECONNECT || this == RECONNECTED || this == LATER;
        }
    }

    /** When an error comes, and what it leaves behind. */
    enum Trait {
        /** It comes at commits, too. */
        AT_COMMIT,
        /** It comes at commits only. */
        ONLY_AT_COMMIT,
        /** It leaves open whether a commit took effect; after other errors, the commit did not. */
        UNKNOWN,
        /** The transaction goes on without the statement; otherwise it is rolled back. */
        UNDOES_STATEMENT,
        /** The server closes the connection. */
        ENDS_SESSION
    }

    private static final Set<String> BEHIND_POSTGRES = Set.of("CockroachDB", "YugabyteDB", "Citus", "Aurora DSQL");

    final String engine;
    private final String state;
    private final int vendorCode;
    private final String text;
    final Meaning meaning;

    @SuppressWarnings("ImmutableEnumChecker") // it is never changed
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

    EngineError(String engine, String state, String text, Meaning meaning, Trait... traits) {
        this(engine, state, 0, text, meaning, traits);
    }

    EngineError(String engine, int code, String text, Meaning meaning, Trait... traits) {
        this(engine, "HY000", code, text, meaning, traits);
    }

    EngineError(String engine, String state, int code, String text, Meaning meaning, Trait... traits) {
        this.engine = engine;
        this.state = state;
        this.vendorCode = code;
        this.text = text;
        this.meaning = meaning;
        this.traits.addAll(List.of(traits));
    }

    Driver driver() {
        return BEHIND_POSTGRES.contains(engine) ? Driver.POSTGRES : Driver.MYSQL;
    }

    /** {@return the errors of the engines that are used through one of these drivers} */
    public static List<EngineError> behind(Set<Driver> drivers) {
        return Stream.of(values())
                .filter(error -> drivers.contains(error.driver()))
                .toList();
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** {@return its code in the table of {@code docs/inside/engines.md}} */
    String code() {
        return vendorCode == 0 ? state : Integer.toString(vendorCode);
    }

    SQLException exception() {
        return new SQLException(text + " (made up)", state, vendorCode);
    }
}
