/** {@code pawl lab}: its commands and options. */
@NullMarked
package dev.pawl.lab.command;

import org.jspecify.annotations.NullMarked;
