/** A queue within an application of Spring's. */
@NullMarked
package dev.pawl.conformance.spring;

import org.jspecify.annotations.NullMarked;
