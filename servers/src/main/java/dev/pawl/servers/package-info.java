/** Real database servers that Maven brings: started on loopback, killed on purpose, started again. */
@NullMarked
package dev.pawl.servers;

import org.jspecify.annotations.NullMarked;
