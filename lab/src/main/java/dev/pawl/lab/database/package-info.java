/** The databases that are measured: how to get an empty one, and what the server tells of itself. */
@NullMarked
package dev.pawl.lab.database;

import org.jspecify.annotations.NullMarked;
