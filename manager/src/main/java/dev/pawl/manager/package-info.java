/**
 * Managers and remote workers. A {@link dev.pawl.manager.Manager} claims jobs and gives each to a
 * {@link dev.pawl.manager.WorkerChannel} with free capacity: its own threads, or a remote worker over HTTP, such as a
 * {@link dev.pawl.manager.WorkerServer}. Several managers may run at once; none of them is a leader.
 */
@NullMarked
package dev.pawl.manager;

import org.jspecify.annotations.NullMarked;
