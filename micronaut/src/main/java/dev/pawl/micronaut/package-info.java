/** A queue on the application's DataSource, and a worker with the application's handlers. */
@NullMarked
package dev.pawl.micronaut;

import org.jspecify.annotations.NullMarked;
