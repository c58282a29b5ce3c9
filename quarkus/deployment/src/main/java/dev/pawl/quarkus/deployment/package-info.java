/** What the build of a Quarkus application does for Pawl. */
@NullMarked
package dev.pawl.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
