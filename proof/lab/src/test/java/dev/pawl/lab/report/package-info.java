/** Tests. */
@NullMarked
package dev.pawl.lab.report;

import org.jspecify.annotations.NullMarked;
