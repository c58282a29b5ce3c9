/** Tests. */
@NullMarked
package dev.pawl.lab.command;

import org.jspecify.annotations.NullMarked;
