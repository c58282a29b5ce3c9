/** The products: which one is behind a pool, and what each does its own way. */
@NullMarked
package dev.pawl.internal.database;

import org.jspecify.annotations.NullMarked;
