/** A queue in a Spring application. */
@NullMarked
package dev.pawl.conformance.spring;

import org.jspecify.annotations.NullMarked;
