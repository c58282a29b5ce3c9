/** The program pawl: one small class for each command. */
@NullMarked
package dev.pawl.cli;

import org.jspecify.annotations.NullMarked;
