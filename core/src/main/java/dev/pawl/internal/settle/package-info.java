/** The end of claimed jobs: settled, renewed, released or rescued, under the fence. */
@NullMarked
package dev.pawl.internal.settle;

import org.jspecify.annotations.NullMarked;
