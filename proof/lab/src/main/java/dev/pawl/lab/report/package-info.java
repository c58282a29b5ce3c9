/** Converts result files to tables and charts. */
@NullMarked
package dev.pawl.lab.report;

import org.jspecify.annotations.NullMarked;
