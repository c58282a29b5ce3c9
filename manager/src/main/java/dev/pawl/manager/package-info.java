/**
 * Managers and remote workers. A {@link dev.pawl.manager.Manager} claims jobs and gives each to a
 * {@link dev.pawl.manager.WorkerChannel} with free capacity: threads of its own, or a worker elsewhere over HTTP, such
 * as a {@link dev.pawl.manager.WorkerServer}. Two or more managers may run at once; there is no leader to lose.
 */
@NullMarked
package dev.pawl.manager;

import org.jspecify.annotations.NullMarked;
