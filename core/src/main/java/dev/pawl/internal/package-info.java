/** What users must not touch. */
@NullMarked
package dev.pawl.internal;

import org.jspecify.annotations.NullMarked;
