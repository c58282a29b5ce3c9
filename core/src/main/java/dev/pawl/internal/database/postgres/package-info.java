/** PostgreSQL. */
@NullMarked
package dev.pawl.internal.database.postgres;

import org.jspecify.annotations.NullMarked;
