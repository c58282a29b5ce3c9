package dev.pawl.internal.feature;

import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that one transaction takes away together.
 *
 * @param connection in a transaction that has locked them
 * @param table with their rows; null if they have no rows of their own
 * @param ids of these jobs
 */
public record RemovedJobs(Connection connection, @Nullable JobTable table, List<Long> ids) {}
