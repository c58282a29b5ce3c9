/** The Java of docs/managers.md, compiled. */
@NullMarked
package dev.pawl.manager.docs;

import org.jspecify.annotations.NullMarked;
