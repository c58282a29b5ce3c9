/** Ready-made {@link dev.pawl.PayloadCodec codecs}. The libraries that they use are optional dependencies. */
@NullMarked
package dev.pawl.codec;

import org.jspecify.annotations.NullMarked;
