/** Pawl in an application of Spring's: its transactions, handlers that are beans or methods of beans, its life cycle. */
@NullMarked
package dev.pawl.spring;

import org.jspecify.annotations.NullMarked;
