/** The ports of the engine to a database. */
@NullMarked
package dev.pawl.internal.store;

import org.jspecify.annotations.NullMarked;
