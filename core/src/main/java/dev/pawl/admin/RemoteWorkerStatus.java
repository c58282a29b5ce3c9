package dev.pawl.admin;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a worker without a database, as its manager sees it.
 *
 * @param url of the worker
 * @param problem why it gets no jobs, and what to do; null if all is well
 * @param capacity how many jobs it runs at once, as it reports; 0 if it cannot be reached
 * @param running jobs that it has, from all managers, as it reports; 0 if it does not
 * @param kinds that it can run; empty for all
 */
public record RemoteWorkerStatus(String url, @Nullable String problem, int capacity, int running, Set<String> kinds) {}
