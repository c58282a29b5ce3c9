/** Queues for JUnit Jupiter tests. */
@NullMarked
package dev.pawl.testkit.junit;

import org.jspecify.annotations.NullMarked;
