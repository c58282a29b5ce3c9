/** The command line. */
@NullMarked
package dev.pawl.cli;

import org.jspecify.annotations.NullMarked;
