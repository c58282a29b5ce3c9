/** Other processes of a test: started, killed, halted. */
@NullMarked
package dev.pawl.conformance.process;

import org.jspecify.annotations.NullMarked;
