/** The limits of a worker as local semaphores, refilled from the database now and then, so that a job needs no statement. */
@NullMarked
package dev.pawl.internal.quota;

import org.jspecify.annotations.NullMarked;
