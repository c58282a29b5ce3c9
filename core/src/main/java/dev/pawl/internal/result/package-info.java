/** What completed jobs have returned. */
@NullMarked
package dev.pawl.internal.result;

import org.jspecify.annotations.NullMarked;
