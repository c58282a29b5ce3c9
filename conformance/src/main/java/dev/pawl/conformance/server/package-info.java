/** Real database servers that Maven brings: started on loopback, killed on purpose, started again. */
@NullMarked
package dev.pawl.conformance.server;

import org.jspecify.annotations.NullMarked;
