/** The verbs over SQL, as far as the databases agree. */
@NullMarked
package dev.pawl.internal.store.sql;

import org.jspecify.annotations.NullMarked;
