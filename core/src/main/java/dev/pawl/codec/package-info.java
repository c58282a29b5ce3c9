/** Implementations of {@link dev.pawl.api.PayloadCodec}. The libraries that they use are optional dependencies. */
@NullMarked
package dev.pawl.codec;

import org.jspecify.annotations.NullMarked;
