package dev.pawl.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.limit.Subject;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the tables small and the database healthy. Get it from {@link Admin#maintenance}. Thread-safe. Every method throws {@link
 * DatabaseException} if the database fails. Each is one short transaction, except {@link #diagnose}, {@link #prune} and {@link
 * #setRetention}, which are several, and {@link #tune}, which is a long one.
 */
public interface Maintenance {
    /**
     * Diagnoses the server, its settings and the state of the queue.
     *
     * @return facts, advice and warnings, in reading order
     */
    List<Finding> diagnose();

    /**
     * {@return the tables with their sizes, largest first, as the database estimates them without reading the tables; on SQLite the size of
     * the file, followed by its tables only if the file has at most 32 MiB, because SQLite must read tables to find their sizes}
     */
    List<TableSize> tables();

    /**
     * Rebuilds the tables with other options, in one transaction. Workers wait until it ends.
     *
     * @param tuning the changes
     * @throws SchemaException on any database except PostgreSQL
     */
    void tune(Tuning tuning);

    /**
     * Deletes finished jobs that are older than the retention, with their attempts and log lines, in small batches. A
     * {@link RetentionRule} overrides it for a queue or kind. If the thread is interrupted, the call ends early.
     *
     * @param retention how long each state is kept; zero deletes all jobs in that state
     * @return the number of deleted jobs
     */
    long prune(Retention retention);

    /**
     * Sets how long finished jobs of a queue or kind are kept; replaces an earlier rule. Workers apply it within about
     * a minute, also to jobs that have finished already. A program may call it each time it starts.
     *
     * @param rule the rule
     * @throws IllegalArgumentException if it sets no duration, or there are a thousand rules already
     */
    void setRetention(RetentionRule rule);

    /**
     * Removes the retention rule of a queue or kind.
     *
     * @param subject a queue or a kind
     * @return false if it had no rule
     */
    boolean clearRetention(Subject subject);

    /**
     * Returns how long jobs without a {@link RetentionRule} are kept by programs and commands that set no retention.
     *
     * @return for each state the longest time that a program has set, without a maximum number of jobs. Empty if no program's worker has
     *     stored a time; {@link Retention#DEFAULTS} apply in that case
     */
    Optional<Retention> storedRetention();

    /**
     * Removes the times that programs have stored. Programs can only make stored times longer, so a shorter retention takes effect for
     * programs and commands that set none only after this call. Programs that set a retention store it again when they start a worker.
     *
     * @return false if no times were stored
     */
    boolean clearStoredRetention();

    /** {@return all retention rules, queues first, by name} */
    List<RetentionRule> retentions();
}
