/** Other processes of a test: started, killed, halted. */
@NullMarked
package dev.pawl.testkit.process;

import org.jspecify.annotations.NullMarked;
