/** Reproduces the observations of the study. */
@NullMarked
package dev.pawl.lab.study;

import org.jspecify.annotations.NullMarked;
