/** A run: the matrix, its trials, their measurements, and the result file. */
@NullMarked
package dev.pawl.lab.run;

import org.jspecify.annotations.NullMarked;
