/** The API of a job queue in the application's own SQL database. */
@NullMarked
package dev.pawl;

import org.jspecify.annotations.NullMarked;
