/** Other processes of a test: started, killed, halted. */
@NullMarked
package dev.pawl.servers.process;

import org.jspecify.annotations.NullMarked;
