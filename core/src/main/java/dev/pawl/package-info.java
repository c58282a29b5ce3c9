/** A job queue that lives in the SQL database you already have. */
@NullMarked
package dev.pawl;

import org.jspecify.annotations.NullMarked;
