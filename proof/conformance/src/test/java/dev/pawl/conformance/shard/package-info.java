/** Queues over many databases, and workers of several databases that share their handlers. */
@NullMarked
package dev.pawl.conformance.shard;

import org.jspecify.annotations.NullMarked;
