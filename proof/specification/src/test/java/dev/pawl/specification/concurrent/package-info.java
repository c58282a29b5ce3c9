/** Many clients and workers at once on one database; all operations are recorded, and checked afterwards. */
@NullMarked
package dev.pawl.specification.concurrent;

import org.jspecify.annotations.NullMarked;
