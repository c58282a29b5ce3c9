/** The ports of the engine: its interfaces to a database. */
@NullMarked
package dev.pawl.internal.store;

import org.jspecify.annotations.NullMarked;
