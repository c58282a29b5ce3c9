/** The Java of docs/guides/remote-workers.md, compiled. */
@NullMarked
package dev.pawl.manager.docs;

import org.jspecify.annotations.NullMarked;
