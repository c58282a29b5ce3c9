/** The contracts that all databases share: one class for each database, the same tests in all. */
@NullMarked
package dev.pawl.conformance.contract;

import org.jspecify.annotations.NullMarked;
