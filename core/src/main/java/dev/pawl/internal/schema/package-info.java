/** The schema and its migrations. */
@NullMarked
package dev.pawl.internal.schema;

import org.jspecify.annotations.NullMarked;
