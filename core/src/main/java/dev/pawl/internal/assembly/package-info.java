/** Detects the product behind a pool: the only package that knows all of them. */
@NullMarked
package dev.pawl.internal.assembly;

import org.jspecify.annotations.NullMarked;
