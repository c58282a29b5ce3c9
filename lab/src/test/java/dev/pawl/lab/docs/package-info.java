/** Checks of the pages about the lab. */
@NullMarked
package dev.pawl.lab.docs;

import org.jspecify.annotations.NullMarked;
