/** Pawl in a Spring application: its transactions, handlers that are beans or methods of beans, its lifecycle. */
@NullMarked
package dev.pawl.spring;

import org.jspecify.annotations.NullMarked;
