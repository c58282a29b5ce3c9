package dev.pawl.internal.jdbc;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The meanings of servers' codes, in one list for each kind of code. A listed code decides; the class of an SQLSTATE
 * (its first two characters) decides where the state itself is not listed.
 */
final class FaultCodes {
    /** SQLSTATEs, the only codes of PostgreSQL's errors. */
    static final Map<String, Fault> STATES = states();

    /** The first two characters of an SQLSTATE. */
    static final Map<String, Fault> CLASSES = Map.of(
            "08", Fault.UNREACHABLE, // connection
            "53", Fault.SHORTAGE, // resources
            "58", Fault.SHORTAGE, // the server's files
            "22", Fault.REFUSED, // data
            "23", Fault.REFUSED, // constraints
            "54", Fault.REFUSED); // a limit of the program: an index entry too long, a statement too complex

    /**
     * Vendor codes of MySQL, MariaDB and TiDB. Errors with several of these codes have the catch-all SQLSTATE HY000. PostgreSQL's vendor
     * code is always 0. Code 1105 (unknown error) is omitted because it is generic.
     */
    static final Map<Integer, Fault> MYSQL = mysql();

    private FaultCodes() {}

    private static Map<String, Fault> states() {
        Map<String, Fault> states = new HashMap<>();
        put(states, Fault.DEADLOCK, "40P01");
        put(states, Fault.SERIALIZATION, "40001", "72000"); // 72000: the snapshot is too old
        put(states, Fault.LOCK_TIMEOUT, "55P03");
        put(states, Fault.UNIQUE, "23505");
        put(states, Fault.MISSING_TABLE, "42P01", "42S02");
        put(states, Fault.SHORTAGE, "57014"); // statement_timeout, or cancelled
        // the server stops, has crashed, starts
        put(states, Fault.UNREACHABLE, "57P01", "57P02", "57P03");
        // the server has ended the session: database dropped, idle too long, idle in a transaction, transaction too
        // long
        put(states, Fault.UNREACHABLE, "57P04", "57P05", "25P03", "25P04");
        put(states, Fault.UNREACHABLE, "53300"); // too many connections
        put(states, Fault.RECONNECTED, "25S03"); // from MariaDB's driver
        put(states, Fault.UNREACHABLE, "40003"); // CockroachDB: it is unknown whether the transaction has committed
        put(states, Fault.READ_ONLY, "25006");
        return Map.copyOf(states);
    }

    private static Map<Integer, Fault> mysql() {
        Map<Integer, Fault> codes = new HashMap<>();
        put(codes, Fault.DEADLOCK, 1213); // also what Galera reports when certification fails
        put(codes, Fault.LOCK_TIMEOUT, 1205, 3572); // 3572: NOWAIT
        // snapshot isolation of MariaDB; certification in Group Replication
        put(codes, Fault.SERIALIZATION, 1020, 1180, 3101);
        // TiDB: conflicts that are found at the commit; the schema has changed since the transaction began
        put(codes, Fault.SERIALIZATION, 8002, 8005, 8022, 8028, 9007);
        // shutdown, offline, node not ready, blocked host
        put(codes, Fault.UNREACHABLE, 1053, 1077, 1079, 3032, 1047, 3168, 1129);
        // a new primary in Group Replication has not applied its backlog, because that took too long, was stopped or
        // failed
        put(codes, Fault.UNREACHABLE, 3781, 3782, 3783);
        // a member leaves its group while a transaction commits there; the group may have accepted the transaction
        put(codes, Fault.UNREACHABLE, 3100);
        // the connection was cut: while it opened, on the network, by KILL, because it was idle
        put(codes, Fault.UNREACHABLE, 1042, 1043, 1080, 1152, 1154, 1155, 1156, 1157, 1158, 1159, 1160, 1161, 1184);
        put(codes, Fault.UNREACHABLE, 1927, 3169, 4031, 2002, 2003, 2006, 2013, 2055);
        put(codes, Fault.UNREACHABLE, 1040, 1203, 1226); // too many connections
        // --read-only, a session or a transaction that is read-only, InnoDB in read-only mode
        put(codes, Fault.READ_ONLY, 1290, 1792, 1836);
        put(codes, Fault.UNIQUE, 1062, 1586);
        put(codes, Fault.MISSING_TABLE, 1146);
        // disk or table full, memory, locks, threads, open transactions; query killed; statement timeout
        put(codes, Fault.SHORTAGE, 1021, 1114, 1037, 1038, 1041, 1206, 1135, 1637, 1317, 1969, 3024);
        // TiDB: an old schema, a transaction that took too long, parts of the cluster that are slow, busy or missing
        put(codes, Fault.SHORTAGE, 8027, 8229, 9001, 9002, 9003, 9004, 9005, 9008);
        // larger than a packet, out of range, too long, malformed, against a CHECK
        put(codes, Fault.REFUSED, 1153, 1264, 1366, 1406, 3819, 4025, 8025);
        return Map.copyOf(codes);
    }

    @SafeVarargs
    private static <K> void put(Map<K, Fault> all, Fault fault, K... codes) {
        for (K code : codes) {
            if (all.put(code, fault) != null) {
                throw new IllegalStateException("code " + code + " is listed twice");
            }
        }
    }

    static Fault ofState(@Nullable String state) {
        if (state == null) {
            return Fault.OTHER;
        }
        Fault listed = STATES.get(state);
        return listed != null
                ? listed
                : CLASSES.getOrDefault(state.length() < 2 ? "" : state.substring(0, 2), Fault.OTHER);
    }

    static Fault ofMySql(int code) {
        return MYSQL.getOrDefault(code, Fault.OTHER);
    }

    static Fault ofSqlite(int code) {
        // The low byte is the primary result code; extended codes add detail above it.
        return switch (code & 0xff) {
            case 5, 6 -> Fault.BUSY; // BUSY, LOCKED
            case 8 -> Fault.READ_ONLY;
            case 10, 14 -> Fault.UNREACHABLE; // IOERR, CANTOPEN
            case 7, 9, 13 -> Fault.SHORTAGE; // NOMEM, INTERRUPT, FULL
            case 18, 20, 25 -> Fault.REFUSED; // TOOBIG, MISMATCH, RANGE
            // 2067 UNIQUE, 1555 PRIMARYKEY; plain 19 if the driver gives no extended code
            case 19 -> code == 19 || code == 2067 || code == 1555 ? Fault.UNIQUE : Fault.REFUSED;
            default -> Fault.OTHER;
        };
    }
}
