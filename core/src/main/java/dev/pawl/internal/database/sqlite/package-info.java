/** SQLite. */
@NullMarked
package dev.pawl.internal.database.sqlite;

import org.jspecify.annotations.NullMarked;
