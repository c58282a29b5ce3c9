/** What becomes of claimed jobs: settled, renewed, released, rescued, under the fence. */
@NullMarked
package dev.pawl.internal.settle;

import org.jspecify.annotations.NullMarked;
