/** Tests. */
@NullMarked
package dev.pawl.lab.database;

import org.jspecify.annotations.NullMarked;
