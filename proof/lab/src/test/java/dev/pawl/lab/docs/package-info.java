/** Checks of the documentation's references. */
@NullMarked
package dev.pawl.lab.docs;

import org.jspecify.annotations.NullMarked;
