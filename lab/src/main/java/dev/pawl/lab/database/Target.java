package dev.pawl.lab.database;

import java.sql.SQLException;
import java.util.List;

/** A database to measure on. Every trial gets an empty one there, so none meets what another left. */
public sealed interface Target permits EmbeddedTarget, GivenTarget {
    /** The databases that come with the lab. */
    List<String> EMBEDDED = List.of("postgresql", "mariadb", "sqlite");

    /** {@return postgresql, mariadb, mysql or sqlite} */
    String product();

    /** {@return its name in results; without secrets} */
    String name();

    /** {@return where it runs, so that its CPU time can be read and told from that of strangers} */
    Housing housing();

    /**
     * {@return an empty database, dropped when it is closed}
     *
     * @throws SQLException if the server refuses
     */
    Scratch scratch() throws SQLException;

    /**
     * @param text postgresql, mariadb or sqlite for the ones that come with the lab; else a JDBC URL
     * @return the target
     * @throws IllegalArgumentException if it is neither, with what to write
     */
    static Target of(String text) {
        return text.startsWith("jdbc:") ? GivenTarget.of(text) : EmbeddedTarget.of(text);
    }
}
