/** A run: the matrix, its trials, what is measured in each, and the file that keeps it. */
@NullMarked
package dev.pawl.lab.run;

import org.jspecify.annotations.NullMarked;
