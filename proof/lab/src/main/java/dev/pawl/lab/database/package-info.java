/** The databases to measure on: empty databases for trials, and their servers' properties and counters. */
@NullMarked
package dev.pawl.lab.database;

import org.jspecify.annotations.NullMarked;
