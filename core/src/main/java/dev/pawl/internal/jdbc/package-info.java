/** The caller's pool and what the databases have in common: connections, transactions, faults, rows. */
@NullMarked
package dev.pawl.internal.jdbc;

import org.jspecify.annotations.NullMarked;
