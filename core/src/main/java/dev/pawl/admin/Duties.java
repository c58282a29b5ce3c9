package dev.pawl.admin;

import dev.pawl.DatabaseException;
import java.time.Duration;
import java.util.Optional;

/**
 * Duties that one process of all that share the database does, such as sampling or sending alerts. Whoever holds one has a lease by
 * the database's clock; if it dies, another goes on from the state that it has written. Thread-safe. Every method throws
 * {@link DatabaseException} if the database fails.
 */
public interface Duties {
    /**
     * Takes a duty that nobody holds, or renews the own hold. Where somebody else holds it, that is one read.
     *
     * @param name of the duty, at most 40 characters
     * @param owner of this process, unlike all others, at most 100 characters
     * @param length for how long it is held from now on
     * @return the duty; empty if somebody else holds it
     */
    Optional<Duty> hold(String name, String owner, Duration length);

    /**
     * Writes the state that the next owner begins with.
     *
     * @param duty as it was given
     * @param state any text
     * @return false if somebody else holds it now; then nothing was written
     */
    boolean save(Duty duty, String state);

    /**
     * Lets somebody else have it at once.
     *
     * @param duty as it was given
     */
    void release(Duty duty);
}
