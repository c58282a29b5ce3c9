/** From files of results to tables and pictures. */
@NullMarked
package dev.pawl.lab.report;

import org.jspecify.annotations.NullMarked;
