/** The database products, and everything in which they differ. */
@NullMarked
package dev.pawl.internal.database;

import org.jspecify.annotations.NullMarked;
