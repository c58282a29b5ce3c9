/** Reading and writing JSON. */
@NullMarked
package dev.pawl.dashboard.internal.json;

import org.jspecify.annotations.NullMarked;
