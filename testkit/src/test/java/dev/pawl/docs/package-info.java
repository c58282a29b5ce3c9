/** The Java of README.md and docs/, compiled and run. {@link dev.pawl.docs.DocsTest} compares the two. */
@NullMarked
package dev.pawl.docs;

import org.jspecify.annotations.NullMarked;
