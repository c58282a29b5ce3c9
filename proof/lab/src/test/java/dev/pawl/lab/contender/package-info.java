/** Tests. */
@NullMarked
package dev.pawl.lab.contender;

import org.jspecify.annotations.NullMarked;
