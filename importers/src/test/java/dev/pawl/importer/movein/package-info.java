/** Imports from tables that the other libraries have written themselves. */
@NullMarked
package dev.pawl.importer.movein;

import org.jspecify.annotations.NullMarked;
