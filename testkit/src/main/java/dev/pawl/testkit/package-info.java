/** Tools for tests. */
@NullMarked
package dev.pawl.testkit;

import org.jspecify.annotations.NullMarked;
