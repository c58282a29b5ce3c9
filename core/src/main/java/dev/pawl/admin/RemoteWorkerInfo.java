package dev.pawl.admin;

import java.time.Instant;

/**
 * A worker without a database, as one of its managers sees it.
 *
 * @param manager the manager's name
 * @param status of the worker
 * @param lookedAt when this was written, by the database's clock
 */
public record RemoteWorkerInfo(String manager, RemoteWorkerStatus status, Instant lookedAt) {}
