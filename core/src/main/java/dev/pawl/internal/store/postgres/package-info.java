/** PostgreSQL. */
@NullMarked
package dev.pawl.internal.store.postgres;

import org.jspecify.annotations.NullMarked;
