package dev.pawl.admin;

import java.time.Instant;

/**
 * A remote worker, as one of its managers reports it.
 *
 * @param manager the manager's name
 * @param status of the remote worker
 * @param reportedAt when the manager wrote this, by the database's clock
 */
public record RemoteWorkerInfo(String manager, RemoteWorkerStatus status, Instant reportedAt) {}
