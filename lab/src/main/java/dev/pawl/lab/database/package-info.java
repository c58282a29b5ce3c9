/** The databases to measure on: how to get an empty one, and what the server tells about itself. */
@NullMarked
package dev.pawl.lab.database;

import org.jspecify.annotations.NullMarked;
