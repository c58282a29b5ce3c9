/** The Java of docs/start/spring-boot.md and docs/guides/interceptors.md, compiled and run. */
@NullMarked
package dev.pawl.conformance.docs;

import org.jspecify.annotations.NullMarked;
