/** Real database servers from Maven artifacts: started on loopback, killed on purpose, restarted. */
@NullMarked
package dev.pawl.servers;

import org.jspecify.annotations.NullMarked;
