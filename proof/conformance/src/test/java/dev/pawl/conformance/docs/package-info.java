/** The Java of docs/how-to/spring.md and docs/how-to/interceptors.md, compiled and run. */
@NullMarked
package dev.pawl.conformance.docs;

import org.jspecify.annotations.NullMarked;
