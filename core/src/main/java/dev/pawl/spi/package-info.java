/**
 * For extensions of Pawl, such as its manager and its dashboard; programs that enqueue and run jobs do not need it. Get an interface of
 * this package from {@code JobQueue.unwrap(…)}, and add handlers with {@code WorkerBuilder.extend(…)}. A minor version may add to these
 * types and change them.
 */
@NullMarked
package dev.pawl.spi;

import org.jspecify.annotations.NullMarked;
