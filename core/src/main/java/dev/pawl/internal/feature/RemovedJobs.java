package dev.pawl.internal.feature;

import java.sql.Connection;
import java.util.List;

/**
 * Jobs that one transaction takes away together.
 *
 * @param connection in a transaction that has locked them
 * @param place where they are
 * @param ids of these jobs
 */
public record RemovedJobs(Connection connection, JobPlace place, List<Long> ids) {}
