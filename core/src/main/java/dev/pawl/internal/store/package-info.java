/** The verbs that the engine asks of a database. */
@NullMarked
package dev.pawl.internal.store;

import org.jspecify.annotations.NullMarked;
