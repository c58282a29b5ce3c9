/** Internal code, which programs must not use. */
@NullMarked
package dev.pawl.internal;

import org.jspecify.annotations.NullMarked;
