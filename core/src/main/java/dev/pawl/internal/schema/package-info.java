/** The schema and how it is brought up to date. */
@NullMarked
package dev.pawl.internal.schema;

import org.jspecify.annotations.NullMarked;
