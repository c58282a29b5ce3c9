/** Jobs in several databases: one queue over all of them, and workers that share their handlers. */
@NullMarked
package dev.pawl.shard;

import org.jspecify.annotations.NullMarked;
