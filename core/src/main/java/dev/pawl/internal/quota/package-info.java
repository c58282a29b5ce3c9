/**
 * What limits allow a worker at the moment: a semaphore for each, filled from the database once in a while, so that a job
 * costs no statement.
 */
@NullMarked
package dev.pawl.internal.quota;

import org.jspecify.annotations.NullMarked;
