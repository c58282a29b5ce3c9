/** The limits of a worker as local semaphores, which are refilled from the database at intervals, so that a job needs no statement. */
@NullMarked
package dev.pawl.internal.quota;

import org.jspecify.annotations.NullMarked;
