/** docs/reference/metrics.md. */
@NullMarked
package dev.pawl.metrics.docs;

import org.jspecify.annotations.NullMarked;
