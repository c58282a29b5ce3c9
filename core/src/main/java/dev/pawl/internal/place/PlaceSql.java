package dev.pawl.internal.place;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of statements that read several places of jobs at once, in SQL with tables named {@code pawl_…}. */
public interface PlaceSql {
    /**
     * {@return the condition that a job is here, or has a copy here}
     *
     * @param id an expression for its id
     */
    String holds(String id);

    /**
     * {@return an expression for the number of jobs that a worker runs here}
     *
     * @param worker an expression for its id
     * @param queue an expression for the only queue to count, whose value is bound after the worker's id; null for all queues
     */
    String running(String worker, @Nullable String queue);

    /**
     * {@return what follows FROM in a query for leases: a table, the word WHERE, and conditions that each end with AND, if there are any.
     * Rows with a {@code lease_expires_at} are leases}
     */
    String leases();

    /** {@return queries for the greatest ids that are or were used here, each with one column} */
    List<String> greatestIds();

    /**
     * {@return a query for {@code finished_at} and the number of jobs that completed then}
     *
     * @param exceptQueues how many queues are left out; their names are bound
     */
    String completed(int exceptQueues);

    /** {@return a query for the names of the queues that have jobs here, completed ones included} */
    String queues();

    /** {@return the parts of a query that tells which queues have available jobs} */
    Due due();

    /**
     * Parts of a query with a row or more for each queue.
     *
     * @param from a table
     * @param queue an expression for its queue
     * @param isDue an expression for 1 if it has available jobs, else 0
     */
    record Due(String from, String queue, String isDue) {}
}
