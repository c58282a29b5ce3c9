/** Jobs that run one after the other with those of the same key: blocked until it is their turn. */
@NullMarked
package dev.pawl.internal.key;

import org.jspecify.annotations.NullMarked;
