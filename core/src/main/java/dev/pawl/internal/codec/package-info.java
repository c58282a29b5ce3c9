/** The default codecs of payloads. */
@NullMarked
package dev.pawl.internal.codec;

import org.jspecify.annotations.NullMarked;
