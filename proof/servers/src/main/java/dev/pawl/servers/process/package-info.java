/** Child processes of a test: started, killed, paused. */
@NullMarked
package dev.pawl.servers.process;

import org.jspecify.annotations.NullMarked;
