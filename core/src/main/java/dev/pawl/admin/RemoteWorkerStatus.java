package dev.pawl.admin;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a worker elsewhere is, as its manager sees it.
 *
 * @param url of the worker
 * @param problem why it gets no jobs, and what to do; null if it is well
 * @param capacity jobs at once, as it says; 0 if it is not there
 * @param running jobs that it has, from all managers, as it says; 0 if it does not say
 * @param kinds that it can run; empty for all
 */
public record RemoteWorkerStatus(String url, @Nullable String problem, int capacity, int running, Set<String> kinds) {}
