/** Results of completed jobs. */
@NullMarked
package dev.pawl.internal.result;

import org.jspecify.annotations.NullMarked;
