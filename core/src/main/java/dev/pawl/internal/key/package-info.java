/** Concurrency keys: jobs of one key run one after the other. Until a job is released, it is blocked. */
@NullMarked
package dev.pawl.internal.key;

import org.jspecify.annotations.NullMarked;
