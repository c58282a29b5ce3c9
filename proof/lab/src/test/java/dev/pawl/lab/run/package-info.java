/** Tests. */
@NullMarked
package dev.pawl.lab.run;

import org.jspecify.annotations.NullMarked;
