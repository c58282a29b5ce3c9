/** The schema and how it is brought up to date. */
@NullMarked
package dev.pawl.internal.migrate;

import org.jspecify.annotations.NullMarked;
