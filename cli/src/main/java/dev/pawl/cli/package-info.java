/** The program pawl: one small class per command. */
@NullMarked
package dev.pawl.cli;

import org.jspecify.annotations.NullMarked;
