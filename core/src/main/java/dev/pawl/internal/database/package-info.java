/** The database products, and what each does its own way. */
@NullMarked
package dev.pawl.internal.database;

import org.jspecify.annotations.NullMarked;
