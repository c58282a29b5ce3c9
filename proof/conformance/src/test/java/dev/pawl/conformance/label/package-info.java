/** An example of a feature: labels with a quota. The library does not know it; a line in a service file installs it. */
@NullMarked
package dev.pawl.conformance.label;

import org.jspecify.annotations.NullMarked;
