/** SQLite. */
@NullMarked
package dev.pawl.internal.store.sqlite;

import org.jspecify.annotations.NullMarked;
