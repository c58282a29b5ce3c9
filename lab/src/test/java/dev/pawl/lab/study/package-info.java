/** What the study saw, seen again. */
@NullMarked
package dev.pawl.lab.study;

import org.jspecify.annotations.NullMarked;
