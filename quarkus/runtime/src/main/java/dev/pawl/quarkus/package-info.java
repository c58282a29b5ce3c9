/** A queue on the application's DataSource, and a worker with the application's handlers. */
@NullMarked
package dev.pawl.quarkus;

import org.jspecify.annotations.NullMarked;
