package dev.pawl.lab.database;

import java.sql.SQLException;
import java.util.List;

/** A database to measure on. Every trial gets its own empty database there. */
public sealed interface Target permits DelayedTarget, EmbeddedTarget, ExternalTarget, NodesTarget {
    /** The databases included in the lab. */
    List<String> EMBEDDED = List.of("postgresql", "mariadb", "sqlite");

    /** {@return postgresql, mariadb, mysql or sqlite} */
    String product();

    /** {@return its name in results, without secrets} */
    String name();

    /** {@return its location, which determines how to read its CPU time} */
    ServerLocation location();

    /**
     * {@return an empty database, dropped when it is closed}
     *
     * @throws SQLException if the server refuses
     */
    Scratch scratch() throws SQLException;

    /**
     * @param text postgresql, mariadb or sqlite for the included ones; otherwise a JDBC URL, or the JDBC URLs of a cluster's nodes,
     *     separated by blanks; a prefix such as {@code 1ms@} delays everything to and from a server
     * @return the target
     * @throws IllegalArgumentException if it is none of these; the message shows the valid forms
     */
    static Target of(String text) {
        if (DelayedTarget.isDelayed(text)) {
            return DelayedTarget.of(text);
        }
        if (NodesTarget.isMeant(text)) {
            return NodesTarget.of(text);
        }
        return text.startsWith("jdbc:") ? ExternalTarget.of(text) : EmbeddedTarget.of(text);
    }

    /** {@return whether the text names a server with a delay before it} */
    static boolean isDelayed(String text) {
        return DelayedTarget.isDelayed(text);
    }
}
