/**
 * The queues of the study from which Pawl originated, with their schema, their statements and their flaws. They are here to be measured and
 * understood; the library works differently.
 */
@NullMarked
package dev.pawl.lab.study;

import org.jspecify.annotations.NullMarked;
