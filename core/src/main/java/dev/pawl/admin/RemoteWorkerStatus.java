package dev.pawl.admin;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a remote worker, as its manager sees it.
 *
 * @param url of the remote worker
 * @param problem why it gets no jobs, and the remedy; null if there is no problem
 * @param capacity how many jobs it runs at once, as it reports; 0 if its state cannot be read
 * @param running how many jobs it has from all managers, as it reports; 0 if it does not report that
 * @param kinds that it can run; empty for all
 */
public record RemoteWorkerStatus(String url, @Nullable String problem, int capacity, int running, Set<String> kinds) {}
