/** docs/how-to/spring.md. */
@NullMarked
package dev.pawl.spring.docs;

import org.jspecify.annotations.NullMarked;
