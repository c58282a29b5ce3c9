/** The test kit on real servers. */
@NullMarked
package dev.pawl.conformance.testkit;

import org.jspecify.annotations.NullMarked;
