/** How payloads become text unless the program says otherwise. */
@NullMarked
package dev.pawl.internal.codec;

import org.jspecify.annotations.NullMarked;
