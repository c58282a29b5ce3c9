/** Clusters of three nodes on this machine, started by scripts that are no part of the project. */
@NullMarked
package dev.pawl.servers.cluster;

import org.jspecify.annotations.NullMarked;
