/** Queues for tests of JUnit Jupiter. */
@NullMarked
package dev.pawl.testkit.junit;

import org.jspecify.annotations.NullMarked;
