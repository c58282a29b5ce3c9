/** Jobs in several databases: one queue above them, and workers that share their handlers. */
@NullMarked
package dev.pawl.shard;

import org.jspecify.annotations.NullMarked;
